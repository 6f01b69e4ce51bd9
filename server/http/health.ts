import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { AppError } from "../base/errors.ts";
import type { Config } from "../config.ts";
import type { Sql } from "../db/driver/sql.ts";
import { doesAnswer } from "../db/server-status.ts";
import type { Deps, ProcessDeps } from "../deps.ts";
import { getVersion } from "../base/program.ts";
import { createLimitedServer, handleRequests, isLoopback } from "./listener.ts";
import { isOwnHost } from "./origin.ts";
import { hasSeveralHosts } from "./requests.ts";

const MAX_AGE_MS = 1000;

/** Queries the database at most once a second for any number of requests, because the route needs no token. */
function limitQueries(sql: Sql): () => Promise<boolean> {
  let answer: Promise<boolean> | undefined;
  return () => {
    if (answer === undefined) {
      answer = doesAnswer(sql);
      setTimeout(() => (answer = undefined), MAX_AGE_MS).unref();
    }
    return answer;
  };
}

/** These routes need no token and reveal no secret. */
export const healthRoutes =
  ({ database, draining }: Deps) =>
  async (app: FastifyInstance) => {
    const alive = { status: "ok", version: getVersion() };
    const answers = limitQueries(database.sql);
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

const MAX_CONNECTIONS = 64;

/** On loopback, rejects foreign host names, as the doors do. Throws `cannot_listen_for_metrics`. */
export function serveMetrics(
  { config, log, metrics: { registry } }: ProcessDeps,
  { host, port }: NonNullable<Config["metricsAddress"]>,
): Promise<Server> {
  const server = createLimitedServer();
  server.maxConnections = MAX_CONNECTIONS;
  const handle: RequestListener = (request, response) => {
    if (hasSeveralHosts(request)) {
      response.writeHead(400, { connection: "close" }).end();
      return;
    }
    const { address } = server.address() as AddressInfo;
    if (isLoopback(address) && !isOwnHost(request.headers.host, config)) {
      response.writeHead(403).end("Ask for localhost or 127.0.0.1.\n");
      return;
    }
    if (request.url !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { "content-type": registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  };
  handleRequests(server, handle, log);
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(new AppError("cannot_listen_for_metrics", { host, port }, { cause: error })),
    );
    server.listen(port, host, () => resolve(server));
  });
}
