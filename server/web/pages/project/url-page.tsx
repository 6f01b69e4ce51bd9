import { T } from "../../kit/reader.tsx";
import type { FastifyInstance } from "fastify";
import { findUrlPage, MAX_INCIDENTS, type UrlPage } from "../../../db/watching/url-page.ts";
import type { StoreDeps } from "../../../deps.ts";
import { AppError } from "../../../base/errors.ts";
import { oneLine } from "../../../base/syntax/text.ts";
import { CHECK_NOW, CheckNow } from "../../kit/check-now.tsx";
import { COPY_SCRIPT, CopyStatus, Id } from "../../kit/components.tsx";
import { Section } from "../../kit/layout.tsx";
import { SiteLink } from "../../kit/address.tsx";
import { Time } from "../../kit/time.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { IncidentTable } from "./incident-table.tsx";
import { URL_PAGE, WORDS } from "./project-words.ts";
import { ProjectLink, UrlStateMark } from "./state-badges.tsx";
import { ProjectTabs } from "./project-tabs.tsx";
import { ScoreTile, Tile, UptimeStrip } from "./tiles.tsx";
import { PauseButton } from "./watched-section.tsx";

const LONGEST_TITLE = 80;

interface PageProps {
  watched: UrlPage;
}

function Incidents({ watched }: PageProps) {
  const { incidents, projectId, url } = watched;
  const all = `/projects/${projectId}/incidents?q=${encodeURIComponent(url)}`;
  return (
    <Section id="incidents" title={URL_PAGE.incidents}>
      <IncidentTable
        rows={incidents.slice(0, MAX_INCIDENTS)}
        within={null}
        empty={URL_PAGE.noIncident}
      />
      {incidents.length > MAX_INCIDENTS && (
        <p class="pager">
          <a href={all}>
            <T text={URL_PAGE.allIncidents} />
          </a>
        </p>
      )}
    </Section>
  );
}

function WatchedUrlPage(props: PageProps) {
  const { watched } = props;
  const { url, projectId, projectName, isAddress, lastCheckedAt } = watched;
  return (
    <>
      <h1 class="address">
        <SiteLink url={url} />
      </h1>
      <p>
        <ProjectLink id={projectId} name={projectName} />
        {isAddress && [" · ", <T text={WORDS.ofProject} />]}
      </p>
      <ProjectTabs projectId={projectId} current="url" />
      <p class="lead">
        <UrlStateMark url={watched} />
      </p>
      {lastCheckedAt && (
        <p class="soft">
          <T text={WORDS.probed} /> <Time at={lastCheckedAt} />
        </p>
      )}
      <div class="actions">
        <CheckNow url={url} label={CHECK_NOW} />
        {watched.isOwn && <PauseButton projectId={projectId} watched={watched} />}
      </div>
      <div class="tiles">
        <ScoreTile score={watched.score}>
          {watched.checkId && (
            <>
              <br />
              <a href={`/checks/${watched.checkId}`}>
                <T text={URL_PAGE.report} />
              </a>
            </>
          )}
        </ScoreTile>
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

export function urlPageRoutes(door: FastifyInstance, { database }: StoreDeps): void {
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
        children: <WatchedUrlPage watched={watched} />,
      });
    },
  );
}
