import type { ComponentChildren } from "preact";
import { Ring, toneOf } from "../../../../shared/report/drawings.tsx";
import { T, useReader, useSay, type PageReader } from "../../kit/reader.tsx";
import { describeVerdict } from "../../../../shared/report/words.ts";
import { verdictOf } from "../../../../shared/verdict.ts";
import type { Text } from "../../../../shared/language.ts";
import { type ProjectPage, DAYS } from "../../../db/projects/project-page.ts";
import { Gain } from "../../kit/comparison.tsx";
import { Time, describeDay, describeMilliseconds, describeMs } from "../../kit/time.tsx";
import { WORDS } from "./project-words.ts";
import { gainOf, isShip, nameVersion } from "./deployment-figures.ts";
import type { HistoryDay } from "../../../db/projects/history.ts";
import { Strip, type StripBar } from "../../kit/chart.tsx";
import {
  describeUptime,
  listDays,
  timesOf,
  toneOf as toneOfUptime,
  totalUptime,
  type UptimeDay,
} from "../../kit/uptime.ts";
import type { MaintainedTime } from "../../../db/watching/maintenance.ts";
import { MAINTENANCE } from "./maintenance-words.ts";

interface Watched {
  /** Only days with data. */
  days: readonly HistoryDay[];
  watchedSince: Date | null;
  maintained: readonly MaintainedTime[];
}

interface UptimeStripProps {
  watched: Watched;
  note?: Text;
}

function barOf(
  { start, known }: UptimeDay<HistoryDay>,
  watched: Watched,
  reader: PageReader,
): StripBar {
  const { language, now } = reader;
  const { watchedMs, maintainedMs } = timesOf(start, watched, now);
  const maintenance =
    maintainedMs < 1000
      ? []
      : [`${reader.say(MAINTENANCE.word)} ${describeMs(maintainedMs, language)}`];
  const day = describeDay(new Date(start), { ...reader, timeZone: null });
  const uptime = known?.uptime ?? null;
  if (known === undefined || uptime === null)
    return {
      tone: "none",
      title: maintenance[0] ? `${day}, ${maintenance[0]}` : `${day}${reader.say(WORDS.notWatched)}`,
    };
  const failing = watchedMs * (1 - uptime);
  const parts = [
    `${describeUptime(uptime, language)} ${reader.say(WORDS.up)}`,
    ...(failing >= 1000
      ? [`${reader.say(WORDS.failingFor)} ${describeMs(failing, language)}`]
      : []),
    ...maintenance,
    ...(known.score === null ? [] : [`${reader.say(WORDS.score)} ${known.score}`]),
    ...(known.firstByteMs === null
      ? []
      : [`${reader.say(WORDS.firstByte)} ${describeMilliseconds(known.firstByteMs, language)}`]),
  ];
  return {
    tone: toneOfUptime(uptime),
    title: `${day}${reader.say(WORDS.colon)}${parts.join(", ")}`,
  };
}

export function UptimeStrip({ watched, note }: UptimeStripProps) {
  const reader = useReader();
  const { language, now, say } = reader;
  const shown = listDays(watched.days, DAYS, now);
  const uptime = totalUptime(shown, watched, now);
  return (
    <>
      <p>
        {uptime !== undefined && <strong>{describeUptime(uptime, language)}</strong>}{" "}
        {note && (
          <span class="soft">
            <T text={note} />
          </span>
        )}
      </p>
      <Strip bars={shown.map((day) => barOf(day, watched, reader))} label={say(WORDS.uptime)} />
    </>
  );
}

interface TileProps {
  project: ProjectPage;
}

interface FrameProps {
  title: Text;
  children: ComponentChildren;
}

export function Tile({ title, children }: FrameProps) {
  return (
    <section>
      <h2>
        <T text={title} />
      </h2>
      {children}
    </section>
  );
}

interface ScoreTileProps {
  score: number | null;
  children: ComponentChildren;
}

export function ScoreTile({ score, children }: ScoreTileProps) {
  const { language } = useReader();
  const verdict = score === null ? null : verdictOf(score);
  return (
    <Tile title={WORDS.score}>
      {score === null || verdict === null ? (
        <p>
          <T text={WORDS.noScore} />
        </p>
      ) : (
        <div class="head">
          <Ring check={{ score, verdict }} language={language} />
          <p>
            <strong class={toneOf(verdict)}>{describeVerdict(verdict, language)}</strong>
            {children}
          </p>
        </div>
      )}
    </Tile>
  );
}

function Score({ project: { score, deployments } }: TileProps) {
  const before = deployments.rows.find(isShip)?.check?.previousScore ?? null;
  return (
    <ScoreTile score={score}>
      {score !== null && before !== null && (
        <>
          <br />
          <Gain points={score - before} /> <T text={WORDS.sinceShip} />
        </>
      )}
    </ScoreTile>
  );
}

function LastShip({ project: { deployments } }: TileProps) {
  const say = useSay();
  const { language } = useReader();
  const ship = deployments.rows.find(isShip);
  const gain = ship ? gainOf(ship) : null;
  return (
    <Tile title={WORDS.lastShip}>
      {ship === undefined ? (
        <p>
          <T text={WORDS.noShip} />
        </p>
      ) : (
        <>
          <p>
            <a href={`/deployments/${ship.id}`}>{nameVersion(ship) || say(WORDS.deployment)}</a>
            <br />
            <Time at={ship.deployedAt} />
          </p>
          <p>
            {ship.check === null ? (
              <T text={WORDS[ship.isQueued ? "queued" : "unverified"]} />
            ) : (
              <strong class={toneOf(ship.check.verdict)}>
                {describeVerdict(ship.check.verdict, language)}
              </strong>
            )}{" "}
            {gain !== null && <Gain points={gain} />}
          </p>
        </>
      )}
    </Tile>
  );
}

function Uptime({ project }: TileProps) {
  return (
    <Tile title={WORDS.uptime}>
      <UptimeStrip watched={project} note={WORDS.ofAddress} />
    </Tile>
  );
}

function OpenIncidents({ project }: TileProps) {
  const { failingCount, open } = project;
  const [oldest] = open.rows;
  return (
    <Tile title={WORDS.openIncidents}>
      <p>
        {failingCount === 0 ? (
          <strong class="good">
            <T text={WORDS.noneOpen} />
          </strong>
        ) : (
          <strong class="bad">
            {failingCount} <T text={WORDS.open} />
          </strong>
        )}
        {oldest && (
          <>
            <br />
            <T text={WORDS.oldest} />{" "}
            <a href={`/incidents/${oldest.id}`}>
              <Time at={oldest.since} />
            </a>
          </>
        )}
      </p>
    </Tile>
  );
}

export function Tiles(props: TileProps) {
  return (
    <div class="tiles">
      <Score {...props} />
      <LastShip {...props} />
      <Uptime {...props} />
      <OpenIncidents {...props} />
    </div>
  );
}
