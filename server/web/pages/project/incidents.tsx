import { T } from "../../kit/reader.tsx";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { findIncidentPage, listOpenIncidents } from "../../../db/watching/incident-pages.ts";
import type { Deps } from "../../../deps.ts";
import type { SessionActor } from "../../../db/accounts/actors.ts";
import { AppError, isAppError } from "../../../base/errors.ts";
import { acknowledgeIncident, publishNote, silenceIncident } from "../../../projects/incidents.ts";
import { Note } from "../../../projects/typed-times.ts";
import { parameterOf } from "../../kit/request-parameters.ts";
import type { FlashCode } from "../../kit/flash-messages.tsx";
import { Empty, Pager } from "../../kit/layout.tsx";
import { COPY_SCRIPT } from "../../kit/components.tsx";
import { refuse, type Refusal } from "../../kit/forms.ts";
import { formsOf } from "../../kit/session/form-handlers.ts";
import { sendPage } from "../../kit/session/page.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";
import { IncidentPage } from "./incident-page.tsx";
import { IncidentTable } from "./incident-table.tsx";
import { nameFailure, WORDS } from "./incident-words.ts";
import { WINDOW_FAULTS } from "./maintenance-words.ts";
import { nameProject, ProjectLink } from "./state-badges.tsx";

type OfIncident = FastifyRequest<{ Params: { id: string } }>;

/** Path, field, flash message and function of each form. */
const ACTIONS: readonly (readonly [
  string,
  string,
  FlashCode,
  (deps: Deps, actor: SessionActor, id: string, typed: string | null) => Promise<void>,
])[] = [
  ["ack", "note", "incident-acknowledged", acknowledgeIncident],
  ["publish", "text", "saved", publishNote],
  [
    "silence",
    "duration",
    "saved",
    (deps, actor, id, hours) => {
      if (!/^\d{1,3}$/.test(hours ?? ""))
        throw new AppError("input_invalid", { fault: "time_invalid", value: "" });
      const untilOf = (now: Date) => new Date(now.getTime() + Number(hours) * 3_600_000);
      return silenceIncident(deps, actor, id, untilOf);
    },
  ],
];

interface OpenProps extends Awaited<ReturnType<typeof listOpenIncidents>> {
  after: string;
}

function OpenIncidents({ rows, next, after }: OpenProps) {
  return (
    <>
      <h1 id="open">
        <T text={WORDS.title} />
      </h1>
      {rows.length === 0 ? (
        <Empty>
          <p>
            <T text={WORDS.none} />
          </p>
        </Empty>
      ) : (
        <IncidentTable
          labelledBy="open"
          rows={rows}
          projectOf={({ projectId, projectName }) => (
            <ProjectLink id={projectId} name={projectName} />
          )}
        />
      )}
      <Pager
        first={after === "" ? undefined : "/incidents"}
        next={next && `/incidents?after=${next}`}
      />
    </>
  );
}

export function incidentRoutes(door: FastifyInstance, deps: Deps): void {
  const { database } = deps;
  door.get("/incidents", async (request, reply) => {
    const { caller, language } = getSignedIn(request);
    const after = parameterOf(request, "after") ?? "";
    const found = await listOpenIncidents(database.sql, caller, language, after);
    const children = <OpenIncidents {...found} after={after} />;
    return sendPage(request, reply, { title: WORDS.title, children });
  });

  async function send(request: OfIncident, reply: FastifyReply, refused?: Refusal) {
    const { caller, language } = getSignedIn(request);
    const incident = await findIncidentPage(database.sql, caller, request.params.id, language);
    if (incident === undefined) throw new AppError("route_not_found", {});
    const failure = nameFailure(incident, language);
    return sendPage(request, reply, {
      title: `${WORDS.incident[language]} ${failure}, ${nameProject(incident.projectName)}`,
      refused,
      script: COPY_SCRIPT,
      children: <IncidentPage incident={incident} />,
    });
  }

  door.get("/incidents/:id", (request: OfIncident, reply) => send(request, reply));

  const addForm = formsOf(door, deps, {
    page: "/incidents/:id",
    render: (request, reply, refused) => send(request as OfIncident, reply, refused),
  });
  for (const [action, field, done, act] of ACTIONS)
    addForm(`/incidents/:id/${action}`, async ({ actor, id, fields }) => {
      const { success, data = null } = Note.safeParse(fields[field] ?? "");
      const problem = WINDOW_FAULTS.note_invalid;
      if (!success && problem) return refuse({ [field]: problem });
      try {
        await act(deps, actor, id, data);
      } catch (error) {
        throw isAppError(error, "incident_not_found") ? new AppError("route_not_found", {}) : error;
      }
      return done;
    });
}
