import { readConfig } from "../../server/config.ts";
import type { Resolver } from "../../server/probe/resolve.ts";
import { startServer, type RunningServer } from "../../server/start.ts";
import { createTestDatabase, type TestDatabase } from "./database.ts";

export interface TestServer {
  readonly url: string;
  readonly database: TestDatabase;
  readonly sql: RunningServer["deps"]["database"]["sql"];
  readonly deps: RunningServer["deps"];
  /** Every line logged so far. */
  readonly log: string[];
  /** Does an operator's command and returns its result. */
  perform<Result>(name: string, input: object): Promise<Result>;
  /** A request to the API with a token, or without. */
  request(path: string, options?: RequestOptions): Promise<Response>;
  close(): Promise<void>;
}

export interface RequestOptions {
  token?: string | undefined;
  method?: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface TestServerOptions {
  env?: Record<string, string>;
  resolver?: Resolver;
  roots?: string[];
}

/** A real server on a fresh database, allowed to visit sites on loopback, without background looks. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const database = await createTestDatabase();
  const log: string[] = [];
  const config = readConfig({
    SHIPSCORE_ALLOW_NETWORKS: "127.0.0.0/8,::1/128",
    SHIPSCORE_CYCLE_SECONDS: "0",
    ...database.env,
    ...options.env,
  });
  const server = await startServer({
    config,
    host: "127.0.0.1",
    port: 0,
    command: "test",
    writeLog: (line) => log.push(line),
    ...(options.resolver && { resolver: options.resolver }),
    ...(options.roots && { roots: options.roots }),
  });
  return {
    url: server.url,
    database,
    sql: server.deps.database.sql,
    deps: server.deps,
    log,
    perform: (name, input) => server.perform(name, input) as Promise<never>,
    request(path, { token, method = "GET", body, headers = {} } = {}) {
      const json = body === undefined ? {} : { "content-type": "application/json" };
      const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
      return fetch(new URL(path, server.url), {
        method,
        headers: { ...json, ...authorization, ...headers },
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      });
    },
    async close() {
      await server.drain();
      await database.drop();
    },
  };
}
