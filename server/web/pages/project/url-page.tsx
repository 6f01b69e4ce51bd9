import type { FastifyInstance } from "fastify";
import { Ring, toneOf } from "../../../../shared/report/drawings.tsx";
import { useReader, useSay } from "../../kit/reader.tsx";
import { describeVerdict } from "../../../../shared/report/words.ts";
import { verdictOf } from "../../../../shared/verdict.ts";
import { findUrlPage, MOST_INCIDENTS, type UrlPage } from "../../../db/watching/url-page.ts";
import type { Deps } from "../../../deps.ts";
import { AppError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";
import { CHECK_NOW, CheckNow } from "../../kit/check-now.tsx";
import { COPY_SCRIPT, CopyStatus, Id } from "../../kit/copy.tsx";
import { Section } from "../../kit/layout.tsx";
import { SiteLink } from "../../kit/site-link.tsx";
import { Time } from "../../kit/time.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { IncidentTable } from "./incident-table.tsx";
import { URL_PAGE } from "./list-words.ts";
import { ProjectLink } from "./parts.tsx";
import { WORDS } from "./project-words.ts";
import { ProjectTabs } from "./project-tabs.tsx";
import { Tile } from "./tiles.tsx";
import { UrlStateMark } from "./states.tsx";
import { UptimeStrip } from "./uptime-strip.tsx";
import { PauseButton } from "./watched-section.tsx";

const LONGEST_TITLE = 80;

interface PageProps {
  watched: UrlPage;
}

function Newest({ watched: { score, checkId } }: PageProps) {
  const { language } = useReader();
  const say = useSay();
  if (score === null) return <p>{say(WORDS.noScore)}</p>;
  const verdict = verdictOf(score);
  return (
    <div class="head">
      <Ring check={{ score, verdict }} language={language} />
      <p>
        <strong class={toneOf(verdict)}>{describeVerdict(verdict, language)}</strong>
        {checkId && (
          <>
            <br />
            <a href={`/checks/${checkId}`}>{say(URL_PAGE.report)}</a>
          </>
        )}
      </p>
    </div>
  );
}

function Incidents({ watched }: PageProps) {
  const say = useSay();
  const { incidents, projectId, url } = watched;
  const all = `/projects/${projectId}/incidents?q=${encodeURIComponent(url)}`;
  return (
    <Section id="incidents" title={URL_PAGE.incidents}>
      {incidents.length === 0 && <p>{say(URL_PAGE.noIncident)}</p>}
      {incidents.length > 0 && (
        <IncidentTable
          labelledBy="incidents"
          rows={incidents.slice(0, MOST_INCIDENTS)}
          within={null}
        />
      )}
      {incidents.length > MOST_INCIDENTS && (
        <p class="pager">
          <a href={all}>{say(URL_PAGE.allIncidents)}</a>
        </p>
      )}
    </Section>
  );
}

function Whole(props: PageProps) {
  const say = useSay();
  const { watched } = props;
  const { url, projectId, projectName, isAddress, lastCheckedAt } = watched;
  return (
    <>
      <h1 class="address">
        <SiteLink url={url} />
      </h1>
      <p>
        <ProjectLink id={projectId} name={projectName} />
        {isAddress && ` · ${say(WORDS.ofProject)}`}
      </p>
      <ProjectTabs projectId={projectId} current="url" />
      <p class="lead">
        <UrlStateMark url={watched} />
      </p>
      {lastCheckedAt && (
        <p class="soft">
          {say(WORDS.checked)} <Time at={lastCheckedAt} />
        </p>
      )}
      <div class="actions">
        <CheckNow url={url} label={CHECK_NOW} />
        {watched.isOwn && <PauseButton projectId={projectId} watched={watched} />}
      </div>
      <div class="tiles">
        <Tile title={WORDS.score}>
          <Newest {...props} />
        </Tile>
        <Tile title={WORDS.uptime}>
          <UptimeStrip watched={watched} />
        </Tile>
      </div>
      <Incidents {...props} />
      <Id id={watched.id} />
      <CopyStatus />
    </>
  );
}

/** One watched URL, for those who may see its project. */
export function urlPageRoutes(door: FastifyInstance, { database }: Deps): void {
  door.get<{ Params: { id: string; of: string } }>(
    "/projects/:id/urls/:of",
    async (request, reply) => {
      const { id: projectId, of: id } = request.params;
      const { caller, language } = getSignedIn(request);
      const watched = await findUrlPage(database.sql, caller, { projectId, id }, language);
      if (watched === undefined) throw new AppError("project_not_found", { projectId });
      return sendPage(request, reply, {
        title: oneLine(watched.url.replace(/^https:\/\//, ""), LONGEST_TITLE),
        script: COPY_SCRIPT,
        children: <Whole watched={watched} />,
      });
    },
  );
}
