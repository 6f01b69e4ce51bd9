import type { FastifyInstance } from "fastify";
import { useReader, useSay } from "../../kit/reader.tsx";
import type { ListName, ProjectPage } from "../../../db/projects/project-page.ts";
import { findProjectPage } from "../../../db/projects/project-page.ts";
import type { Deps } from "../../../deps.ts";
import { AppError } from "../../../base/errors.ts";
import { LinkedAddress } from "../../kit/address.tsx";
import { describeLength, describeMoment } from "../../kit/age.ts";
import { CHECK_NOW, CheckNow, CheckRowsForm } from "../../kit/check-now.tsx";
import { Notice } from "../../kit/components.tsx";
import { COPY_SCRIPT, CopyStatus, Id } from "../../kit/copy.tsx";
import { Empty, Section } from "../../kit/layout.tsx";
import { LIVE_SCRIPT } from "../../kit/live-script.ts";
import { Time } from "../../kit/time.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { Checklist } from "./checklist.tsx";
import { IncidentTable } from "./incident-table.tsx";
import { Deployments, WatchedUrls } from "./lists.tsx";
import { MaintenanceNotice } from "./maintenance-section.tsx";
import { nameProject } from "./parts.tsx";
import { pathOfEvents } from "./project-events.ts";
import { failing, LASTING, LISTS, STOPPED, WORDS } from "./project-words.ts";
import { ProjectTabs } from "./project-tabs.tsx";
import { ScoreChart } from "./score-chart.tsx";
import { countOutages } from "./ships.ts";
import { ProjectStateMark } from "./states.tsx";
import { Tiles } from "./tiles.tsx";

interface PageProps {
  project: ProjectPage;
}

/** Deployments in the table; the chart has more. */
const FIRST_SHIPS = 5;

/** All of each list. */
const PATHS: Readonly<Record<ListName, string>> = {
  open: "incidents?state=open",
  urls: "urls",
  deployments: "deployments",
  closed: "incidents?state=closed",
};
/** How often a page asks for itself whose stream was closed. */
const ASKS_MS = 30_000;

function NothingYet({ name, project }: PageProps & { name: ListName }) {
  const say = useSay();
  const text = <p>{say(LISTS[name].empty)}</p>;
  if (name !== "deployments" || !project.isOwn) return text;
  return (
    <Empty>
      {text}
      <p class="actions">
        <a class="button" href={`/projects/${project.id}/settings/hooks`}>
          {say(WORDS.connect)}
        </a>
      </p>
    </Empty>
  );
}

function Rows({ name, project }: PageProps & { name: ListName }) {
  if (project[name].rows.length === 0) return <NothingYet name={name} project={project} />;
  if (name === "urls")
    return <WatchedUrls labelledBy={name} project={project} rows={project.urls.rows} />;
  if (name !== "deployments")
    return <IncidentTable labelledBy={name} rows={project[name].rows} within={project.url} />;
  const { rows } = project.deployments;
  const incidents = countOutages(rows, project.outages);
  return <Deployments labelledBy={name} rows={rows.slice(0, FIRST_SHIPS)} incidents={incidents} />;
}

/** The beginning of a list, and what leads to all of it. */
function Beginning({ name, project }: PageProps & { name: ListName }) {
  const say = useSay();
  const { title, all } = LISTS[name];
  const { rows } = project[name];
  const hasMore = project[name].hasMore || (name === "deployments" && rows.length > FIRST_SHIPS);
  return (
    <Section id={name} title={title}>
      <Rows name={name} project={project} />
      {hasMore && (
        <p class="pager">
          <a href={`/projects/${project.id}/${PATHS[name]}`}>{say(all)}</a>
        </p>
      )}
    </Section>
  );
}

/** `Degraded for 3 hours: 2 of 39 URLs failing`. */
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
      {failingCount > 0 && `${say(WORDS.colon)}${say(failing(failingCount, urlCount))}`}
    </>
  );
}

function Facts({ project }: PageProps) {
  const say = useSay();
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
            {say(WORDS.checked)} <Time at={lastCheckedAt} />
            {" · "}
          </>
        )}
        {say(isOwn ? WORDS.owner : WORDS.member)}
      </p>
    </>
  );
}

interface WholeProps extends PageProps {
  /** Whether this server looks at projects by itself. */
  hasCycle: boolean;
}

/** What there is to know before a look has told whether the site works. */
function Unseen({ project, hasCycle }: WholeProps) {
  const say = useSay();
  const { unseen, undecided, unseenWithoutCycle } = WORDS;
  const text = hasCycle ? (project.lastCheckedAt ? undecided : unseen) : unseenWithoutCycle;
  return <p>{say(text)}</p>;
}

/** What the new owner of a project has to settle. */
function HandedOver({ project: { id, isOwn, stopped } }: PageProps) {
  const say = useSay();
  if (!isOwn || stopped.length === 0) return null;
  return (
    <Notice tone="warn">
      {stopped.map((what) => (
        <p key={what}>
          {say(STOPPED[what].why)}{" "}
          <a href={`/projects/${id}/settings/${what}`}>{say(STOPPED[what].settle)}</a>
        </p>
      ))}
    </Notice>
  );
}

function Whole({ project, hasCycle }: WholeProps) {
  return (
    <>
      <h1>{nameProject(project.name)}</h1>
      <ProjectTabs projectId={project.id} current="overview" />
      <HandedOver project={project} />
      <Facts project={project} />
      <MaintenanceNotice next={project.maintenance[0]} />
      <div class="actions">
        <CheckNow url={project.url} label={CHECK_NOW} />
      </div>
      <div id="news" data-live data-events={pathOfEvents(project)} data-every={ASKS_MS}>
        {project.state === "unknown" && <Unseen project={project} hasCycle={hasCycle} />}
        <Tiles project={project} />
        <Checklist project={project} />
        {project.open.rows.length > 0 && <Beginning name="open" project={project} />}
        <ScoreChart project={project} />
      </div>
      <CheckRowsForm />
      {(["urls", "deployments", "closed"] as const).map((name) => (
        <div key={name} id={`${name}-news`} data-live>
          <Beginning name={name} project={project} />
        </div>
      ))}
      <Id id={project.id} />
      <CopyStatus />
    </>
  );
}

/** One project, for those who may see it: its owner and its members. */
export function projectRoutes(door: FastifyInstance, { config, database }: Deps): void {
  door.get<{ Params: { id: string } }>("/projects/:id", async (request, reply) => {
    const signedIn = getSignedIn(request);
    const { id } = request.params;
    const project = await findProjectPage(database.sql, signedIn.caller, id, signedIn.language);
    if (project === undefined) throw new AppError("project_not_found", { projectId: id });
    const hasCycle = config.cycleSeconds > 0;
    const isUnseen = hasCycle && project.state === "unknown" && project.lastCheckedAt === null;
    return sendPage(request, reply, {
      title: nameProject(project.name),
      script: `${LIVE_SCRIPT}${COPY_SCRIPT}`,
      ...(isUnseen && { refresh: `/projects/${project.id}` }),
      children: <Whole project={project} hasCycle={hasCycle} />,
    });
  });
}
