import type { ComponentChildren } from "preact";
import { Ring, toneOf } from "../../../../shared/report/drawings.tsx";
import { describeVerdict, say } from "../../../../shared/report/words.ts";
import { verdictOf } from "../../../../shared/verdict.ts";
import type { HistoryDay } from "../../../db/projects/history.ts";
import { DAYS, type ProjectPage } from "../../../db/projects/project-page.ts";
import type { Language } from "../../../base/language.ts";
import { describeDay, describeLength } from "../../kit/age.ts";
import { Strip, type StripBar } from "../../kit/chart.tsx";
import { Gain } from "../../kit/comparison.tsx";
import { Time } from "../../kit/time.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { WORDS } from "./project-words.ts";
import { gainOf, isShip, nameVersion } from "./ships.ts";

const DAY_MS = 86_400_000;
/** What a day has at least that is still fair. */
const FAIR_UPTIME = 0.99;

const percents: Readonly<Record<Language, Intl.NumberFormat>> = {
  fr: new Intl.NumberFormat("fr-FR", { style: "percent", maximumFractionDigits: 2 }),
  en: new Intl.NumberFormat("en-GB", { style: "percent", maximumFractionDigits: 2 }),
};

interface TileProps {
  project: ProjectPage;
  signedIn: SignedInRequest;
}

interface FrameProps {
  title: string;
  children: ComponentChildren;
}

function Tile({ title, children }: FrameProps) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function Score({ project: { score, deployments }, signedIn: { language } }: TileProps) {
  const title = say(WORDS.score, language);
  if (score === null)
    return (
      <Tile title={title}>
        <p>{say(WORDS.noScore, language)}</p>
      </Tile>
    );
  const verdict = verdictOf(score);
  const before = deployments.rows.find(isShip)?.check?.previousScore ?? null;
  return (
    <Tile title={title}>
      <div class="head">
        <Ring check={{ score, verdict }} language={language} />
        <p>
          <strong class={toneOf(verdict)}>{describeVerdict(verdict, language)}</strong>
          {before !== null && (
            <>
              <br />
              <Gain points={score - before} language={language} /> {say(WORDS.sinceShip, language)}
            </>
          )}
        </p>
      </div>
    </Tile>
  );
}

function LastShip({ project: { deployments }, signedIn }: TileProps) {
  const { language, now } = signedIn;
  const ship = deployments.rows.find(isShip);
  const gain = ship ? gainOf(ship) : null;
  return (
    <Tile title={say(WORDS.lastShip, language)}>
      {ship === undefined ? (
        <p>{say(WORDS.noShip, language)}</p>
      ) : (
        <>
          <p>
            <a href={`/deployments/${ship.id}`}>
              {nameVersion(ship) || say(WORDS.deployment, language)}
            </a>
            <br />
            <Time at={ship.deployedAt} now={now} reader={signedIn} />
          </p>
          <p>
            {ship.check === null ? (
              say(ship.isQueued ? WORDS.queued : WORDS.unverified, language)
            ) : (
              <strong class={toneOf(ship.check.verdict)}>
                {describeVerdict(ship.check.verdict, language)}
              </strong>
            )}{" "}
            {gain !== null && <Gain points={gain} language={language} />}
          </p>
        </>
      )}
    </Tile>
  );
}

/** How long the address was watched on a day (UTC), in milliseconds. */
function watchedMs(start: number, { watchedSince }: ProjectPage, now: Date): number {
  const from = Math.max(start, watchedSince?.getTime() ?? start);
  return Math.max(0, Math.min(start + DAY_MS, now.getTime()) - from);
}

/** What happened on a day, as a bar. */
function barOf(start: number, known: HistoryDay | undefined, props: TileProps): StripBar {
  const { project, signedIn } = props;
  const { language, now } = signedIn;
  const day = describeDay(new Date(start), { ...signedIn, timeZone: null });
  const uptime = known?.uptime ?? null;
  if (known === undefined || uptime === null)
    return { tone: "none", title: `${day}${say(WORDS.notWatched, language)}` };
  const failing = watchedMs(start, project, now) * (1 - uptime);
  const told = [
    `${percents[language].format(uptime)} ${say(WORDS.up, language)}`,
    ...(failing >= 1000
      ? [
          `${say(WORDS.failingFor, language)} ${describeLength(new Date(0), new Date(failing), language)}`,
        ]
      : []),
    ...(known.score === null ? [] : [`${say(WORDS.score, language)} ${known.score}`]),
    ...(known.firstByteMs === null
      ? []
      : [`${say(WORDS.firstByte, language)} ${known.firstByteMs}\u00a0ms`]),
  ];
  const tone = uptime === 1 ? "good" : uptime >= FAIR_UPTIME ? "warn" : "bad";
  return { tone, title: `${day}${say(WORDS.colon, language)}${told.join(", ")}` };
}

function Uptime(props: TileProps) {
  const { project, signedIn } = props;
  const { language, now } = signedIn;
  const known = new Map(project.days.map((day) => [Date.parse(day.day), day]));
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const starts = Array.from({ length: DAYS }, (_, place) => today - (DAYS - 1 - place) * DAY_MS);
  const watched = starts.flatMap((start) => {
    const uptime = known.get(start)?.uptime ?? null;
    return uptime === null ? [] : [{ uptime, ms: watchedMs(start, project, now) }];
  });
  const ms = watched.reduce((sum, day) => sum + day.ms, 0);
  const upMs = watched.reduce((sum, day) => sum + day.ms * day.uptime, 0);
  const title = say(WORDS.uptime, language);
  return (
    <Tile title={title}>
      <p>
        {ms > 0 && <strong>{percents[language].format(upMs / ms)}</strong>}{" "}
        <span class="soft">{say(WORDS.ofAddress, language)}</span>
      </p>
      <Strip bars={starts.map((start) => barOf(start, known.get(start), props))} label={title} />
    </Tile>
  );
}

function Open({ project, signedIn }: TileProps) {
  const { language } = signedIn;
  const { failingCount, open } = project;
  const [oldest] = open.rows;
  return (
    <Tile title={say(WORDS.openIncidents, language)}>
      <p>
        {failingCount === 0 ? (
          <strong class="good">{say(WORDS.noneOpen, language)}</strong>
        ) : (
          <strong class="bad">
            {failingCount} {say(WORDS.open, language)}
          </strong>
        )}
        {oldest && (
          <>
            <br />
            {say(WORDS.oldest, language)}{" "}
            <a href={`/incidents/${oldest.id}`}>
              <Time at={oldest.since} now={signedIn.now} reader={signedIn} />
            </a>
          </>
        )}
      </p>
    </Tile>
  );
}

/** What a project's page begins with: its score, its last ship, the uptime of its address, and what is failing. */
export function Tiles(props: TileProps) {
  return (
    <div class="tiles">
      <Score {...props} />
      <LastShip {...props} />
      <Uptime {...props} />
      <Open {...props} />
    </div>
  );
}
