import type { FastifyInstance } from "fastify";
import type { Deps } from "../deps.ts";
import { getVersion } from "../version.ts";

/** Alive (the process answers) and ready (so does its database, and it is not shutting down). No token, no secret. */
export const healthRoutes =
  (deps: Deps, isDraining: () => boolean) => async (app: FastifyInstance) => {
    const alive = { status: "ok", version: getVersion() };
    app.get("/healthz", { schema: { hide: true } }, async () => alive);
    app.get("/readyz", { schema: { hide: true } }, async (_request, reply) => {
      const reachable =
        !isDraining() &&
        (await deps.database.sql`select 1`.then(
          () => true,
          () => false,
        ));
      return reply
        .status(reachable ? 200 : 503)
        .send({ status: reachable ? "ready" : "unavailable" });
    });
  };
