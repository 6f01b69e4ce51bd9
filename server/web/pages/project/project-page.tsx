import type { FastifyInstance, FastifyRequest } from "fastify";
import { say } from "../../../../shared/report/words.ts";
import type { ListChoice, ListName, ProjectPage } from "../../../db/projects/project-page.ts";
import { findProjectPage } from "../../../db/projects/project-page.ts";
import type { Deps } from "../../../deps.ts";
import { AppError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import { LinkedAddress } from "../../kit/address.tsx";
import { describeLength, describeMoment } from "../../kit/age.ts";
import { parameterOf } from "../../kit/asked.ts";
import { Notice } from "../../kit/components.tsx";
import { COPY_SCRIPT, CopyStatus, Id } from "../../kit/copy.tsx";
import { Empty, Pager, Section } from "../../kit/layout.tsx";
import { Time } from "../../kit/time.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn, type SignedInRequest } from "../../kit/session/signed-in.ts";
import { Checklist } from "./checklist.tsx";
import { IncidentTable } from "./incident-table.tsx";
import { Deployments, WatchedUrls } from "./lists.tsx";
import { ProjectName } from "./parts.tsx";
import { failing, LASTING, LISTS, STOPPED, WORDS } from "./project-words.ts";
import { ScoreChart } from "./score-chart.tsx";
import { countOutages } from "./ships.ts";
import { ProjectStateMark } from "./states.tsx";
import { Tiles } from "./tiles.tsx";

interface PageProps {
  project: ProjectPage;
  signedIn: SignedInRequest;
}

/** Deployments in the table of the whole page; the chart has more. */
const FIRST_SHIPS = 8;

const isListName = (name: string): name is ListName => Object.hasOwn(LISTS, name);

/** The list that is asked for alone; undefined for all. */
function choiceOf(request: FastifyRequest): ListChoice | undefined {
  const name = parameterOf(request, "list") ?? "";
  return isListName(name) ? { name, after: parameterOf(request, "after") ?? "" } : undefined;
}

function NothingYet({ name, project, signedIn }: PageProps & { name: ListName }) {
  const text = <p>{say(LISTS[name].empty, signedIn.language)}</p>;
  if (name !== "deployments" || !project.isOwn) return text;
  return (
    <Empty>
      {text}
      <p class="actions">
        <a class="button" href={`/projects/${project.id}/settings/hooks`}>
          {say(WORDS.connect, signedIn.language)}
        </a>
      </p>
    </Empty>
  );
}

function Rows({
  name,
  project,
  signedIn,
  isAlone,
}: PageProps & { name: ListName; isAlone: boolean }) {
  const shared = { labelledBy: name, signedIn };
  if (project[name].rows.length === 0)
    return <NothingYet name={name} project={project} signedIn={signedIn} />;
  if (name === "urls") return <WatchedUrls {...shared} rows={project.urls.rows} />;
  if (name !== "deployments") return <IncidentTable {...shared} rows={project[name].rows} />;
  const { rows } = project.deployments;
  if (isAlone) return <Deployments {...shared} rows={rows} incidents={undefined} />;
  const incidents = countOutages(rows, project.outages);
  return <Deployments {...shared} rows={rows.slice(0, FIRST_SHIPS)} incidents={incidents} />;
}

/** The beginning of a list, and what leads to all of it. */
function Beginning({ name, project, signedIn }: PageProps & { name: ListName }) {
  const { title, all } = LISTS[name];
  const { rows, next } = project[name];
  const hasMore = next !== undefined || (name === "deployments" && rows.length > FIRST_SHIPS);
  return (
    <Section id={name} title={say(title, signedIn.language)}>
      <Rows name={name} project={project} signedIn={signedIn} isAlone={false} />
      {hasMore && (
        <p class="pager">
          <a href={`/projects/${project.id}?list=${name}`}>{say(all, signedIn.language)}</a>
        </p>
      )}
    </Section>
  );
}

/** `Degraded for 3 hours: 2 of 39 URLs failing`. */
function StateSentence({ project, signedIn }: PageProps) {
  const { language, now } = signedIn;
  const { state, stateSince, failingCount, urlCount } = project;
  if (state === "unknown" || stateSince === null)
    return <ProjectStateMark project={project} language={language} />;
  const words = `${say(LASTING[state], language)} ${describeLength(stateSince, now, language)}`;
  return (
    <>
      <ProjectStateMark project={project} language={language}>
        <time dateTime={stateSince.toISOString()} title={describeMoment(stateSince, signedIn)}>
          {words}
        </time>
      </ProjectStateMark>
      {failingCount > 0 &&
        `${say(WORDS.colon, language)}${say(failing(failingCount, urlCount), language)}`}
    </>
  );
}

function Facts({ project, signedIn }: PageProps) {
  const { language, now } = signedIn;
  const { url, lastCheckedAt, isOwn } = project;
  return (
    <>
      <p class="lead">
        <StateSentence project={project} signedIn={signedIn} />
      </p>
      <p class="lead">
        <LinkedAddress url={url} />
      </p>
      <p class="soft">
        {lastCheckedAt && (
          <>
            {say(WORDS.checked, language)} <Time at={lastCheckedAt} now={now} reader={signedIn} />
            {" · "}
          </>
        )}
        {say(isOwn ? WORDS.owner : WORDS.member, language)}
      </p>
    </>
  );
}

interface WholeProps extends PageProps {
  /** Whether this server looks at projects by itself. */
  hasCycle: boolean;
}

/** What there is to know before a look has told whether the site works. */
function Unseen({ project, signedIn: { language }, hasCycle }: WholeProps) {
  const { unseen, undecided, unseenWithoutCycle } = WORDS;
  const text = hasCycle ? (project.lastCheckedAt ? undecided : unseen) : unseenWithoutCycle;
  return <p>{say(text, language)}</p>;
}

/** What the new owner of a project has to settle. */
function HandedOver({ project: { id, isOwn, stopped }, signedIn: { language } }: PageProps) {
  if (!isOwn || stopped.length === 0) return null;
  return (
    <Notice tone="warn">
      {stopped.map((what) => (
        <p key={what}>
          {say(STOPPED[what].why, language)}{" "}
          <a href={`/projects/${id}/settings/${what}`}>{say(STOPPED[what].settle, language)}</a>
        </p>
      ))}
    </Notice>
  );
}

function Whole({ project, signedIn, hasCycle }: WholeProps) {
  const shared = { project, signedIn };
  return (
    <>
      <h1>
        <ProjectName name={project.name} />
      </h1>
      <HandedOver {...shared} />
      <Facts {...shared} />
      {project.state === "unknown" && <Unseen {...shared} hasCycle={hasCycle} />}
      <p class="actions">
        <a class="button second" href={`/projects/${project.id}/settings`}>
          {say(WORDS.settings, signedIn.language)}
        </a>
      </p>
      <Checklist project={project} language={signedIn.language} />
      <Tiles {...shared} />
      {project.open.rows.length > 0 && <Beginning name="open" {...shared} />}
      <ScoreChart {...shared} />
      <Beginning name="urls" {...shared} />
      <Beginning name="deployments" {...shared} />
      <Beginning name="closed" {...shared} />
      <Id id={project.id} language={signedIn.language} />
      <CopyStatus />
    </>
  );
}

function Alone({ project, signedIn, choice }: PageProps & { choice: ListChoice }) {
  const { language } = signedIn;
  const { name, after } = choice;
  const { next } = project[name];
  const path = `/projects/${project.id}`;
  const first = `${path}?list=${name}`;
  return (
    <>
      <h1 id={name}>{say(LISTS[name].title, language)}</h1>
      <p class="lead">
        <a href={path}>
          <ProjectName name={project.name} />
        </a>
      </p>
      <Rows name={name} project={project} signedIn={signedIn} isAlone />
      <Pager
        first={after === "" ? undefined : first}
        next={next && `${first}&after=${next}`}
        language={language}
      />
    </>
  );
}

/** One project, for those who may see it: its owner and its members. */
export function projectRoutes(door: FastifyInstance, { config, database }: Deps): void {
  door.get<{ Params: { id: string } }>("/projects/:id", async (request, reply) => {
    const signedIn = getSignedIn(request);
    const { id } = request.params;
    const choice = choiceOf(request);
    const project = await findProjectPage(
      database.sql,
      signedIn.caller,
      id,
      signedIn.language,
      choice,
    );
    if (project === undefined) throw new AppError("project_not_found", { projectId: id });
    const hasCycle = config.cycleSeconds > 0;
    const name = oneLine(project.name, 100);
    return sendPage(request, reply, {
      title: choice ? `${say(LISTS[choice.name].title, signedIn.language)} – ${name}` : name,
      script: choice ? undefined : COPY_SCRIPT,
      children: choice ? (
        <Alone project={project} signedIn={signedIn} choice={choice} />
      ) : (
        <Whole project={project} signedIn={signedIn} hasCycle={hasCycle} />
      ),
    });
  });
}
