import type { FastifyInstance } from "fastify";
import { Ring, toneOf } from "../../../../shared/report/drawings.tsx";
import { describeVerdict, say } from "../../../../shared/report/words.ts";
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
import { getSignedIn, type SignedInRequest } from "../../kit/session/signed-in.ts";
import { IncidentTable } from "./incident-table.tsx";
import { URL_PAGE } from "./list-words.ts";
import { ProjectName } from "./parts.tsx";
import { WORDS } from "./project-words.ts";
import { ProjectTabs } from "./project-tabs.tsx";
import { Tile } from "./tiles.tsx";
import { UrlStateMark } from "./states.tsx";
import { UptimeStrip } from "./uptime-strip.tsx";
import { PauseButton } from "./watched-section.tsx";

const LONGEST_TITLE = 80;

interface PageProps {
  watched: UrlPage;
  signedIn: SignedInRequest;
}

function Newest({ watched: { score, checkId }, signedIn: { language } }: PageProps) {
  if (score === null) return <p>{say(WORDS.noScore, language)}</p>;
  const verdict = verdictOf(score);
  return (
    <div class="head">
      <Ring check={{ score, verdict }} language={language} />
      <p>
        <strong class={toneOf(verdict)}>{describeVerdict(verdict, language)}</strong>
        {checkId && (
          <>
            <br />
            <a href={`/checks/${checkId}`}>{say(URL_PAGE.report, language)}</a>
          </>
        )}
      </p>
    </div>
  );
}

function Incidents({ watched, signedIn }: PageProps) {
  const { language } = signedIn;
  const { incidents, projectId, url } = watched;
  const all = `/projects/${projectId}/incidents?q=${encodeURIComponent(url)}`;
  return (
    <Section id="incidents" title={say(URL_PAGE.incidents, language)}>
      {incidents.length === 0 && <p>{say(URL_PAGE.noIncident, language)}</p>}
      {incidents.length > 0 && (
        <IncidentTable
          labelledBy="incidents"
          rows={incidents.slice(0, MOST_INCIDENTS)}
          signedIn={signedIn}
          within={null}
        />
      )}
      {incidents.length > MOST_INCIDENTS && (
        <p class="pager">
          <a href={all}>{say(URL_PAGE.allIncidents, language)}</a>
        </p>
      )}
    </Section>
  );
}

function Whole(props: PageProps) {
  const { watched, signedIn } = props;
  const { language, now } = signedIn;
  const { url, projectId, projectName, isAddress, lastCheckedAt, days, watchedSince } = watched;
  return (
    <>
      <h1 class="address">
        <SiteLink url={url} language={language} />
      </h1>
      <p>
        <a href={`/projects/${projectId}`}>
          <ProjectName name={projectName} />
        </a>
        {isAddress && ` · ${say(WORDS.ofProject, language)}`}
      </p>
      <ProjectTabs projectId={projectId} current="url" language={language} />
      <p class="lead">
        <UrlStateMark url={watched} language={language} />
      </p>
      {lastCheckedAt && (
        <p class="soft">
          {say(WORDS.checked, language)} <Time at={lastCheckedAt} now={now} reader={signedIn} />
        </p>
      )}
      <div class="actions">
        <CheckNow url={url} label={CHECK_NOW} language={language} />
        {watched.isOwn && (
          <PauseButton projectId={projectId} watched={watched} language={language} />
        )}
      </div>
      <div class="tiles">
        <Tile title={say(WORDS.score, language)}>
          <Newest {...props} />
        </Tile>
        <Tile title={say(WORDS.uptime, language)}>
          <UptimeStrip
            days={days}
            watchedSince={watchedSince}
            maintained={watched.maintained}
            label={say(WORDS.uptime, language)}
            signedIn={signedIn}
          />
        </Tile>
      </div>
      <Incidents {...props} />
      <Id id={watched.id} language={language} />
      <CopyStatus />
    </>
  );
}

/** One watched URL, for those who may see its project. */
export function urlPageRoutes(door: FastifyInstance, { database }: Deps): void {
  door.get<{ Params: { id: string; of: string } }>(
    "/projects/:id/urls/:of",
    async (request, reply) => {
      const signedIn = getSignedIn(request);
      const { id: projectId, of: id } = request.params;
      const { caller, language } = signedIn;
      const watched = await findUrlPage(database.sql, caller, { projectId, id }, language);
      if (watched === undefined) throw new AppError("project_not_found", { projectId });
      return sendPage(request, reply, {
        title: oneLine(watched.url.replace(/^https:\/\//, ""), LONGEST_TITLE),
        script: COPY_SCRIPT,
        children: <Whole watched={watched} signedIn={signedIn} />,
      });
    },
  );
}
