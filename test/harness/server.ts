import { readConfig } from "../../server/config.ts";
import { startServer, type RunningServer } from "../../server/start.ts";
import { toSql } from "../../server/db/driver/sql.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";
import { DEADLINE_MS } from "./opened-database.ts";
import { replayStoredChecks } from "./replay.ts";
import { getAuthority } from "./site.ts";
import { use } from "./use.ts";
import { rejectForOperator } from "./operator-errors.ts";
import { sendRequest, type RequestOptions } from "./request.ts";

export interface TestServer {
  readonly url: string;
  readonly database: TestDatabase;
  readonly sql: RunningServer["deps"]["database"]["sql"];
  readonly deps: RunningServer["deps"];
  readonly log: string[];
  /** Performs an operator command and returns its result. Errors are worded as for an operator. */
  perform<Result>(name: string, input: object): Promise<Result>;
  request(path: string, options?: RequestOptions): Promise<Response>;
  /** Makes the server abandon its running work, as when a shutdown takes too long. */
  abandonWork(): void;
  stop(): Promise<void>;
  /** Assesses every stored check again and expects the same bytes. Then stops the server and its database. */
  close(): Promise<void>;
}

export interface TestServerOptions {
  env?: Record<string, string>;
  /** The trusted roots; by default the authority of this process's sites. */
  roots?: string[];
  threadFile?: string;
  /** Shorter than the product's own, because most tests wait for background work. */
  tickMs?: number;
  /** The time limit of a statement. The default is longer than any statement takes on a busy machine. */
  deadlineMs?: number;
  /** The database of another server. The default is a fresh database. */
  database?: TestDatabase;
}

/** Starts a real server that may visit the sites of this process. It runs no background probes. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = options.database ?? (await createTestDatabase());
  const log: string[] = [];
  const config = readConfig({
    SHIPSCORE_ALLOW_NETWORKS: "127.0.0.0/8,::1/128",
    SHIPSCORE_SCAN_NETWORKS: "127.0.0.0/8,::1/128",
    SHIPSCORE_ALERT_NETWORKS: "127.0.0.0/8,::1/128",
    SHIPSCORE_CYCLE_SECONDS: "0",
    ...database.env,
    ...options.env,
  });
  const server = await startServer({
    config,
    host: "127.0.0.1",
    port: 0,
    command: "test",
    deadlineMs: options.deadlineMs ?? DEADLINE_MS,
    writeLog: (line) => log.push(line),
    roots: options.roots ?? [(await getAuthority()).certificate],
    ...(options.threadFile && { threadFile: options.threadFile }),
    ...(options.tickMs && { tickMs: options.tickMs }),
  });
  return {
    url: server.url,
    database,
    sql: server.deps.database.sql,
    deps: server.deps,
    log,
    perform: (name, input) =>
      server.perform(name, input).catch(rejectForOperator) as Promise<never>,
    request: (path, request) => sendRequest(server.url, path, request),
    abandonWork: () => server.abandonWork(),
    stop: () => server.drain(),
    async close() {
      await replayStoredChecks(server.deps.database.sql);
      await server.drain();
      await database.drop();
    },
  };
}

export const useServer = (options: TestServerOptions = {}): TestServer =>
  use(() => startTestServer(options));

/** Starts a server on a database that commands also use. The caller must drop the database. */
export const useServerOn = (database: TestDatabase): TestServer =>
  use(
    () => startTestServer({ database }),
    (server) => server.stop(),
  );

/** Returns the dependencies for an app on the same database, and counts all queries. */
export function countQueries({ deps }: TestServer) {
  const asked = { count: 0 };
  const sql = toSql((strings, ...values) => {
    asked.count++;
    return deps.database.sql(strings, ...values);
  });
  return { asked, server: { ...deps, database: { ...deps.database, sql } } };
}
