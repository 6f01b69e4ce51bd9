import type { FastifyInstance } from "fastify";
import { watchChanges } from "../../../checks/progress.ts";
import { findProjectVersion } from "../../../db/projects/project-version.ts";
import type { Deps } from "../../../deps.ts";
import { AppError } from "../../../base/errors.ts";
import { parameterOf } from "../../kit/asked.ts";
import type { Streams } from "../../kit/streams.ts";
import { getSignedIn } from "../../kit/session/signed-in.ts";

const POLL_MS = 3000;

/** The path of the events of a project's page, which shows this version of it. */
export const pathOfEvents = ({ id, version }: { id: string; version: string }): string =>
  `/projects/${id}/events?seen=${version}`;

/** Tells a project's page that it has news, for as long as its reader may see the project. */
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
        let seen = parameterOf(request, "seen");
        for await (const { version } of watchChanges(deps, id, signal, find, POLL_MS)) {
          if (version !== seen) send("changed");
          seen = version;
        }
      },
      { closesOldest: true },
    );
  });
}
