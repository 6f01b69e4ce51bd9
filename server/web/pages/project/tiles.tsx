import type { ComponentChildren } from "preact";
import { Ring, toneOf } from "../../../../shared/report/drawings.tsx";
import { useReader, useSay } from "../../kit/reader.tsx";
import { describeVerdict } from "../../../../shared/report/words.ts";
import { verdictOf } from "../../../../shared/verdict.ts";
import type { Text } from "../../../base/language.ts";
import type { ProjectPage } from "../../../db/projects/project-page.ts";
import { Gain } from "../../kit/comparison.tsx";
import { Time } from "../../kit/time.tsx";
import { WORDS } from "./project-words.ts";
import { gainOf, isShip, nameVersion } from "./ships.ts";
import { UptimeStrip } from "./uptime-strip.tsx";

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
      <h2>{useSay()(title)}</h2>
      {children}
    </section>
  );
}

function Score({ project: { score, deployments } }: TileProps) {
  const { language } = useReader();
  const say = useSay();
  if (score === null)
    return (
      <Tile title={WORDS.score}>
        <p>{say(WORDS.noScore)}</p>
      </Tile>
    );
  const verdict = verdictOf(score);
  const before = deployments.rows.find(isShip)?.check?.previousScore ?? null;
  return (
    <Tile title={WORDS.score}>
      <div class="head">
        <Ring check={{ score, verdict }} language={language} />
        <p>
          <strong class={toneOf(verdict)}>{describeVerdict(verdict, language)}</strong>
          {before !== null && (
            <>
              <br />
              <Gain points={score - before} /> {say(WORDS.sinceShip)}
            </>
          )}
        </p>
      </div>
    </Tile>
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
        <p>{say(WORDS.noShip)}</p>
      ) : (
        <>
          <p>
            <a href={`/deployments/${ship.id}`}>{nameVersion(ship) || say(WORDS.deployment)}</a>
            <br />
            <Time at={ship.deployedAt} />
          </p>
          <p>
            {ship.check === null ? (
              say(ship.isQueued ? WORDS.queued : WORDS.unverified)
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

function Open({ project }: TileProps) {
  const say = useSay();
  const { failingCount, open } = project;
  const [oldest] = open.rows;
  return (
    <Tile title={WORDS.openIncidents}>
      <p>
        {failingCount === 0 ? (
          <strong class="good">{say(WORDS.noneOpen)}</strong>
        ) : (
          <strong class="bad">
            {failingCount} {say(WORDS.open)}
          </strong>
        )}
        {oldest && (
          <>
            <br />
            {say(WORDS.oldest)}{" "}
            <a href={`/incidents/${oldest.id}`}>
              <Time at={oldest.since} />
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
