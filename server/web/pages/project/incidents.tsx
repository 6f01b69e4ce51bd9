import type { FastifyInstance } from "fastify";
import { say } from "../../../../shared/report/words.ts";
import { findIncidentPage, listOpenIncidents } from "../../../db/watching/incident-pages.ts";
import type { Deps } from "../../../deps.ts";
import { AppError } from "../../../base/errors.ts";
import { parameterOf } from "../../kit/asked.ts";
import { Empty, Pager } from "../../kit/layout.tsx";
import { COPY_SCRIPT } from "../../kit/copy.tsx";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { IncidentPage } from "./incident-page.tsx";
import { IncidentTable } from "./incident-table.tsx";
import { nameFailure, WORDS } from "./incident-words.ts";
import { nameProject, ProjectName } from "./parts.tsx";

/** What is failing in all projects that somebody sees, and each incident of them. */
export function incidentRoutes(door: FastifyInstance, { database }: Deps): void {
  door.get("/incidents", async (request, reply) => {
    const signedIn = getSignedIn(request);
    const { caller, language } = signedIn;
    const after = parameterOf(request, "after") ?? "";
    const { rows, next } = await listOpenIncidents(database.sql, caller, language, after);
    const title = say(WORDS.title, language);
    return sendPage(request, reply, {
      title,
      children: (
        <>
          <h1 id="open">{title}</h1>
          {rows.length === 0 ? (
            <Empty>
              <p>{say(WORDS.none, language)}</p>
            </Empty>
          ) : (
            <IncidentTable
              labelledBy="open"
              rows={rows}
              signedIn={signedIn}
              projectOf={({ projectId, projectName }) => (
                <a href={`/projects/${projectId}`}>
                  <ProjectName name={projectName} />
                </a>
              )}
            />
          )}
          <Pager
            first={after === "" ? undefined : "/incidents"}
            next={next && `/incidents?after=${next}`}
            language={language}
          />
        </>
      ),
    });
  });

  door.get<{ Params: { id: string } }>("/incidents/:id", async (request, reply) => {
    const signedIn = getSignedIn(request);
    const { caller, language } = signedIn;
    const incident = await findIncidentPage(database.sql, caller, request.params.id, language);
    if (incident === undefined) throw new AppError("route_not_found", {});
    const failure = nameFailure(incident, language);
    return sendPage(request, reply, {
      title: `${say(WORDS.incident, language)} ${failure}, ${nameProject(incident.projectName)}`,
      script: COPY_SCRIPT,
      children: <IncidentPage incident={incident} signedIn={signedIn} />,
    });
  });
}
