import type { FastifyInstance } from "fastify";
import { isReachable } from "../db/driver/reachable.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps } from "../deps.ts";
import { getVersion } from "../base/version.ts";

const MAX_AGE_MS = 1000;

/** Asks the database at most once a second, however many requests come in: the route needs no token. */
function askSometimes(sql: Sql): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined;
  return () => {
    if (answer === undefined) {
      answer = isReachable(sql);
      setTimeout(() => (answer = undefined), MAX_AGE_MS).unref();
    }
    return answer;
  };
}

/**
 * /healthz: the process answers. /readyz: so does its database, which can be written to, and it is not shutting down.
 * Both need no token and reveal no secret.
 */
export const healthRoutes =
  ({ database, draining }: Deps) =>
  async (app: FastifyInstance) => {
    const alive = { status: "ok", version: getVersion() };
    const answers = askSometimes(database.sql);
    async function findStatus() {
      if (draining.aborted || !(await answers())) return "unavailable";
      return database.isReadOnly() ? "read-only" : "ready";
    }
    app.get("/healthz", async () => alive);
    app.get("/readyz", async (_request, reply) => {
      const status = await findStatus();
      return reply.status(status === "ready" ? 200 : 503).send({ status });
    });
  };
