import type { FastifyInstance } from "fastify";
import { T, useReader, useSay } from "../../kit/reader.tsx";
import {
  type ListName,
  type ProjectPage,
  findProjectPage,
} from "../../../db/projects/project-page.ts";
import type { Deps } from "../../../deps.ts";
import { AppError } from "../../../base/errors.ts";
import { LinkedAddress } from "../../kit/address.tsx";
import { describeLength, describeMoment, Time } from "../../kit/time.tsx";
import { CHECK_NOW, CheckNow, CheckRowsForm } from "../../kit/check-now.tsx";
import { Notice, COPY_SCRIPT, CopyStatus, Id } from "../../kit/components.tsx";
import { Empty, Section } from "../../kit/layout.tsx";
import { LIVE_SCRIPT } from "../../kit/progress.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { Checklist } from "./checklist.tsx";
import { IncidentTable } from "./incident-table.tsx";
import { Deployments, WatchedUrls } from "./project-tables.tsx";
import { MaintenanceNotice } from "./maintenance.tsx";
import { nameProject, ProjectStateMark } from "./state-badges.tsx";
import { countFailing, LASTING, LISTS, STOPPED, WORDS } from "./project-words.ts";
import { ProjectTabs } from "./project-tabs.tsx";
import { ScoreChart } from "./score-chart.tsx";
import { countOutages } from "./deployment-figures.ts";
import { Tiles } from "./tiles.tsx";
import { watchChanges } from "../../../checks/progress.ts";
import { findProjectVersion } from "../../../db/projects/project-version.ts";
import { parameterOf } from "../../kit/request-parameters.ts";
import type { Streams } from "../../kit/streams.ts";

const POLL_MS = 3000;

const pathOfEvents = ({ id, version }: { id: string; version: string }): string =>
  `/projects/${id}/events?seen=${version}`;

/** The stream ends when its reader may no longer see the project. */
export function projectEventsRoutes(door: FastifyInstance, deps: Deps, streams: Streams): void {
  const { sql } = deps.database;
  door.get<{ Params: { id: string } }>("/projects/:id/events", async (request, reply) => {
    const { actor, caller, sessionId } = getSignedIn(request);
    const { id } = request.params;
    const find = () => findProjectVersion(sql, caller, id);
    if ((await find()) === undefined) throw new AppError("project_not_found", { projectId: id });
    return streams.send(
      reply,
      { owner: actor.accountId, session: sessionId },
      async (send, signal) => {
        let shown = parameterOf(request, "seen");
        for await (const { version } of watchChanges(deps, id, signal, find, POLL_MS)) {
          if (version !== shown) send("changed");
          shown = version;
        }
      },
      { closesOldest: true },
    );
  });
}

interface PageProps {
  project: ProjectPage;
}

/** Rows in the table; the chart shows more deployments. */
const FIRST_SHIPS = 5;

const PATHS: Readonly<Record<ListName, string>> = {
  open: "incidents?state=open",
  urls: "urls",
  deployments: "deployments",
  closed: "incidents?state=closed",
};
/** The page's reload interval after its event stream was closed. */
const RELOAD_MS = 30_000;

function EmptyList({ name, project }: PageProps & { name: ListName }) {
  const text = (
    <p>
      <T text={LISTS[name].empty} />
    </p>
  );
  if (name !== "deployments" || !project.isOwn) return text;
  return (
    <Empty>
      {text}
      <p class="actions">
        <a class="button" href={`/projects/${project.id}/settings/hooks`}>
          <T text={WORDS.connect} />
        </a>
      </p>
    </Empty>
  );
}

function Rows({ name, project }: PageProps & { name: ListName }) {
  if (project[name].rows.length === 0) return <EmptyList name={name} project={project} />;
  if (name === "urls") return <WatchedUrls project={project} rows={project.urls.rows} />;
  if (name !== "deployments")
    return <IncidentTable rows={project[name].rows} within={project.url} />;
  const { rows } = project.deployments;
  const incidents = countOutages(rows, project.outages);
  return <Deployments rows={rows.slice(0, FIRST_SHIPS)} incidents={incidents} />;
}

function ListPreview({ name, project }: PageProps & { name: ListName }) {
  const { title, all } = LISTS[name];
  const { rows } = project[name];
  const hasMore = project[name].hasMore || (name === "deployments" && rows.length > FIRST_SHIPS);
  return (
    <Section id={name} title={title}>
      <Rows name={name} project={project} />
      {hasMore && (
        <p class="pager">
          <a href={`/projects/${project.id}/${PATHS[name]}`}>
            <T text={all} />
          </a>
        </p>
      )}
    </Section>
  );
}

function StateSentence({ project }: PageProps) {
  const say = useSay();
  const reader = useReader();
  const { language, now } = reader;
  const { state, stateSince, failingCount, urlCount } = project;
  if (state === "unknown" || stateSince === null) return <ProjectStateMark project={project} />;
  const words = `${say(LASTING[state])} ${describeLength(stateSince, now, language)}`;
  return (
    <>
      <ProjectStateMark project={project}>
        <time dateTime={stateSince.toISOString()} title={describeMoment(stateSince, reader)}>
          {words}
        </time>
      </ProjectStateMark>
      {failingCount > 0 && `${say(WORDS.colon)}${say(countFailing(failingCount, urlCount))}`}
    </>
  );
}

function Facts({ project }: PageProps) {
  const { url, lastCheckedAt, isOwn } = project;
  return (
    <>
      <p class="lead" id="state" role="status" data-live>
        <StateSentence project={project} />
      </p>
      <p class="lead">
        <LinkedAddress url={url} />
      </p>
      <p class="soft">
        {lastCheckedAt && (
          <>
            <T text={WORDS.probed} /> <Time at={lastCheckedAt} />
            {" · "}
          </>
        )}
        <T text={isOwn ? WORDS.owner : WORDS.member} />
      </p>
    </>
  );
}

interface ViewProps extends PageProps {
  /** Whether this server starts probes by itself. */
  hasCycle: boolean;
}

function StateUnknown({ project, hasCycle }: ViewProps) {
  const { firstProbe, secondProbe, noCycle } = WORDS;
  const text = hasCycle ? (project.lastCheckedAt ? secondProbe : firstProbe) : noCycle;
  return (
    <p>
      <T text={text} />
    </p>
  );
}

function TransferNotice({ project: { id, isOwn, stopped } }: PageProps) {
  if (!isOwn || stopped.length === 0) return null;
  return (
    <Notice tone="warn">
      {stopped.map((what) => (
        <p key={what}>
          <T text={STOPPED[what].why} />{" "}
          <a href={`/projects/${id}/settings/${what}`}>
            <T text={STOPPED[what].settle} />
          </a>
        </p>
      ))}
    </Notice>
  );
}

function ProjectView({ project, hasCycle }: ViewProps) {
  return (
    <>
      <h1>{nameProject(project.name)}</h1>
      <ProjectTabs projectId={project.id} current="overview" />
      <TransferNotice project={project} />
      <Facts project={project} />
      <MaintenanceNotice next={project.maintenance[0]} />
      <div class="actions">
        <CheckNow url={project.url} label={CHECK_NOW} />
      </div>
      <div id="news" data-live data-events={pathOfEvents(project)} data-every={RELOAD_MS}>
        {project.state === "unknown" && <StateUnknown project={project} hasCycle={hasCycle} />}
        <Tiles project={project} />
        <Checklist project={project} />
        {project.open.rows.length > 0 && <ListPreview name="open" project={project} />}
        <ScoreChart project={project} />
      </div>
      <CheckRowsForm />
      {(["urls", "deployments", "closed"] as const).map((name) => (
        <div key={name} id={`${name}-news`} data-live>
          <ListPreview name={name} project={project} />
        </div>
      ))}
      <Id id={project.id} />
      <CopyStatus />
    </>
  );
}

export function projectRoutes(door: FastifyInstance, { config, database }: Deps): void {
  door.get<{ Params: { id: string } }>("/projects/:id", async (request, reply) => {
    const signedIn = getSignedIn(request);
    const { id } = request.params;
    const project = await findProjectPage(database.sql, signedIn.caller, id, signedIn.language);
    if (project === undefined) throw new AppError("project_not_found", { projectId: id });
    const hasCycle = config.cycleSeconds > 0;
    const isNew = hasCycle && project.state === "unknown" && project.lastCheckedAt === null;
    return sendPage(request, reply, {
      title: nameProject(project.name),
      script: `${LIVE_SCRIPT}${COPY_SCRIPT}`,
      ...(isNew && { refresh: `/projects/${project.id}` }),
      children: <ProjectView project={project} hasCycle={hasCycle} />,
    });
  });
}
