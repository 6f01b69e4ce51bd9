import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { say } from "../../../../shared/report/words.ts";
import { findIncidentPage, listOpenIncidents } from "../../../db/watching/incident-pages.ts";
import type { Deps } from "../../../deps.ts";
import type { SessionActor } from "../../../db/accounts/actors.ts";
import { AppError, isAppError } from "../../../base/errors.ts";
import { acknowledgeIncident, publishNote, silenceIncident } from "../../../projects/incidents.ts";
import { Note } from "../../../projects/times.ts";
import { parameterOf } from "../../kit/asked.ts";
import { Empty, Pager } from "../../kit/layout.tsx";
import { COPY_SCRIPT } from "../../kit/copy.tsx";
import { fieldsOf, inWords, refuse, type Refused } from "../../kit/forms.ts";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { IncidentPage } from "./incident-page.tsx";
import { IncidentTable } from "./incident-table.tsx";
import { findDid } from "./acts.tsx";
import { nameFailure, WORDS } from "./incident-words.ts";
import { WINDOW_FAULTS } from "./maintenance-words.ts";
import { leadTo } from "./settings-forms.ts";
import { nameProject, ProjectName } from "./parts.tsx";

type OfIncident = FastifyRequest<{ Params: { id: string } }>;

/** What an owner says about an incident: the path, the field, and the verb that takes what was typed. */
const ACTIONS: readonly (readonly [
  string,
  string,
  (deps: Deps, actor: SessionActor, id: string, typed: string | null) => Promise<void>,
])[] = [
  ["ack", "note", acknowledgeIncident],
  ["publish", "text", publishNote],
  [
    "silence",
    "duration",
    (deps, actor, id, hours) => {
      if (!/^\d{1,3}$/.test(hours ?? ""))
        throw new AppError("input_invalid", { fault: "time_invalid", value: "" });
      const untilOf = (now: Date) => new Date(now.getTime() + Number(hours) * 3_600_000);
      return silenceIncident(deps, actor, id, untilOf);
    },
  ],
];

/** What is failing in all projects that somebody sees, and each incident of them. */
export function incidentRoutes(door: FastifyInstance, deps: Deps): void {
  const { database } = deps;
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

  async function send(request: OfIncident, reply: FastifyReply, refused?: Refused) {
    const signedIn = getSignedIn(request);
    const { caller, language } = signedIn;
    const incident = await findIncidentPage(database.sql, caller, request.params.id, language);
    if (incident === undefined) throw new AppError("route_not_found", {});
    const failure = nameFailure(incident, language);
    const did = await findDid(deps, request, incident.projectId);
    return sendPage(request, reply, {
      title: `${say(WORDS.incident, language)} ${failure}, ${nameProject(incident.projectName)}`,
      status: refused?.status ?? 200,
      script: COPY_SCRIPT,
      children: (
        <IncidentPage
          incident={incident}
          did={did}
          signedIn={signedIn}
          {...(refused && { filled: inWords(refused, fieldsOf(request), language) })}
        />
      ),
    });
  }

  door.get("/incidents/:id", (request: OfIncident, reply) => send(request, reply));

  for (const [action, field, act] of ACTIONS)
    door.post(
      `/incidents/:id/${action}`,
      { config: { formOn: "/incidents/:id" } },
      async (request: OfIncident, reply) => {
        const { id } = request.params;
        const { success, data = null } = Note.safeParse(fieldsOf(request)[field] ?? "");
        const problem = WINDOW_FAULTS.note_invalid?.text;
        if (!success && problem) return send(request, reply, refuse({ [field]: problem }));
        try {
          await act(deps, getSignedIn(request).actor, id, data);
        } catch (error) {
          throw isAppError(error, "incident_not_found")
            ? new AppError("route_not_found", {})
            : error;
        }
        return leadTo(request, reply, `/incidents/${id}`);
      },
    );
}
