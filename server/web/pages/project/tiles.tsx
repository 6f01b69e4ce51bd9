import type { ComponentChildren } from "preact";
import { Ring, toneOf } from "../../../../shared/report/drawings.tsx";
import { describeVerdict, say } from "../../../../shared/report/words.ts";
import { verdictOf } from "../../../../shared/verdict.ts";
import type { ProjectPage } from "../../../db/projects/project-page.ts";
import { Gain } from "../../kit/comparison.tsx";
import { Time } from "../../kit/time.tsx";
import type { SignedInRequest } from "../../kit/session/signed-in.ts";
import { WORDS } from "./project-words.ts";
import { gainOf, isShip, nameVersion } from "./ships.ts";
import { UptimeStrip } from "./uptime-strip.tsx";

interface TileProps {
  project: ProjectPage;
  signedIn: SignedInRequest;
}

interface FrameProps {
  title: string;
  children: ComponentChildren;
}

export function Tile({ title, children }: FrameProps) {
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

function Uptime({ project, signedIn }: TileProps) {
  const title = say(WORDS.uptime, signedIn.language);
  return (
    <Tile title={title}>
      <UptimeStrip
        days={project.days}
        watchedSince={project.watchedSince}
        maintained={project.maintained}
        label={title}
        note={say(WORDS.ofAddress, signedIn.language)}
        signedIn={signedIn}
      />
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
