import type { FastifyInstance, FastifyRequest } from "fastify";
import { say } from "../../../../shared/report/words.ts";
import type { ListChoice, ListName, ProjectPage } from "../../../db/projects/project-page.ts";
import { findProjectPage } from "../../../db/projects/project-page.ts";
import type { Deps } from "../../../deps.ts";
import { AppError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import { quoteForShell } from "../../../base/syntax/shell-word.ts";
import { parameterOf } from "../../kit/asked.ts";
import { Notice } from "../../kit/components.tsx";
import { Empty, Pager, Section } from "../../kit/layout.tsx";
import { Time } from "../../kit/time.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn, type SignedInRequest } from "../../kit/session/signed-in.ts";
import { Days } from "./days.tsx";
import { countOutages, History } from "./history.tsx";
import { ClosedIncidents, Deployments, OpenIncidents, WatchedUrls } from "./lists.tsx";
import { DASH, LinkedAddress, ProjectName } from "./parts.tsx";
import { LISTS, STOPPED, WORDS } from "./project-words.ts";
import { ProjectStateMark } from "./states.tsx";

interface PageProps {
  project: ProjectPage;
  signedIn: SignedInRequest;
}

const isListName = (name: string): name is ListName => Object.hasOwn(LISTS, name);

/** The list that is asked for alone; undefined for all. */
function choiceOf(request: FastifyRequest): ListChoice | undefined {
  const name = parameterOf(request, "list") ?? "";
  return isListName(name) ? { name, after: parameterOf(request, "after") ?? "" } : undefined;
}

function Command({ children }: { children: string }) {
  return (
    <pre>
      <code>{children}</code>
    </pre>
  );
}

function NothingYet({ name, project, signedIn }: PageProps & { name: ListName }) {
  const text = <p>{say(LISTS[name].empty, signedIn.language)}</p>;
  if (name !== "deployments") return text;
  return (
    <Empty>
      {text}
      <Command>{`shipscore-server deployment record ${project.id} --url ${quoteForShell(project.url)}`}</Command>
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
  if (name === "open") return <OpenIncidents {...shared} rows={project.open.rows} />;
  if (name === "urls") return <WatchedUrls {...shared} rows={project.urls.rows} />;
  if (name === "closed") return <ClosedIncidents {...shared} rows={project.closed.rows} />;
  const { rows } = project.deployments;
  const incidents = isAlone ? undefined : countOutages(rows, project.outages);
  return <Deployments {...shared} rows={rows} incidents={incidents} />;
}

/** The beginning of a list, and what leads to all of it. */
function Beginning({ name, project, signedIn }: PageProps & { name: ListName }) {
  const { title, all } = LISTS[name];
  return (
    <Section id={name} title={say(title, signedIn.language)}>
      <Rows name={name} project={project} signedIn={signedIn} isAlone={false} />
      {project[name].next !== undefined && (
        <p class="pager">
          <a href={`/projects/${project.id}?list=${name}`}>{say(all, signedIn.language)}</a>
        </p>
      )}
    </Section>
  );
}

function Facts({ project, signedIn }: PageProps) {
  const { language, now } = signedIn;
  const { stateSince, url, score, lastCheckedAt, isOwn } = project;
  return (
    <>
      <p class="lead">
        <ProjectStateMark project={project} language={language} />
        {stateSince && (
          <>
            {" · "}
            <Time at={stateSince} now={now} reader={signedIn} />
          </>
        )}
      </p>
      <dl>
        <dt>{say(WORDS.address, language)}</dt>
        <dd>
          <LinkedAddress url={url} />
        </dd>
        <dt>{say(WORDS.score, language)}</dt>
        <dd>{score === null ? DASH : `${score} / 100`}</dd>
        <dt>{say(WORDS.lastLook, language)}</dt>
        <dd>{lastCheckedAt ? <Time at={lastCheckedAt} now={now} reader={signedIn} /> : DASH}</dd>
        <dt>{say(WORDS.role, language)}</dt>
        <dd>{say(isOwn ? WORDS.owner : WORDS.member, language)}</dd>
      </dl>
    </>
  );
}

interface WholeProps extends PageProps {
  /** Whether this server looks at projects by itself. */
  hasCycle: boolean;
}

/** What there is to know before a look has told whether the site works. */
function Unseen({ project, signedIn: { language }, hasCycle }: WholeProps) {
  const { unseen, undecided } = WORDS;
  if (hasCycle) return <p>{say(project.lastCheckedAt ? undecided : unseen, language)}</p>;
  return (
    <>
      <p>{say(WORDS.unseenWithoutCycle, language)}</p>
      <Command>shipscore-server round</Command>
    </>
  );
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
  const { days, deployments, outages } = project;
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
      {project.state !== "unknown" && <Beginning name="open" {...shared} />}
      <Days days={days} outages={outages} signedIn={signedIn} />
      <History deployments={deployments.rows} outages={outages} signedIn={signedIn} />
      <Beginning name="urls" {...shared} />
      <Beginning name="deployments" {...shared} />
      <Beginning name="closed" {...shared} />
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
      children: choice ? (
        <Alone project={project} signedIn={signedIn} choice={choice} />
      ) : (
        <Whole project={project} signedIn={signedIn} hasCycle={hasCycle} />
      ),
    });
  });
}
