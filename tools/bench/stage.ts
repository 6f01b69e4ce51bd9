import { cp, mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CHECKS_A_MONTH } from "../../server/base/plans.ts";
import { insertCrowd, insertReader, type Reader } from "../../test/harness/crowd.ts";
import { callOf, modernCallOf, modernHeadersOf } from "../../test/harness/mcp.ts";
import { openDatabase } from "../../test/harness/opened-database.ts";
import type { Target } from "./load.ts";
import { SERVER, startProcess } from "./harness.ts";

/** The server and the bare route, each in a separate process, with the same rows. */
export interface Stage {
  readonly floor: Target;
  readonly reads: readonly [Target, ...Target[]];
  readonly refusals: Target[];
  /** Tool calls that read the same as the first read, one per version of the protocol. */
  readonly calls: Target[];
  close(): Promise<void>;
}

const FLOOR = fileURLToPath(new URL("./floor.ts", import.meta.url));
const CROWD = 10_000;
const INSERT_DEADLINE_MS = 120_000;

/**
 * Starts both on one real Postgres, or on two embedded databases with the same rows. The rows include 10,000 other accounts. Logs as in
 * production.
 */
export async function startStage(databaseUrl: string | undefined): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "shipscore-bench-"));
  const serverEnv = await createEnv(folder, "server", databaseUrl);
  const floorEnv = await createEnv(folder, "floor", databaseUrl);
  const reader = await fill(serverEnv);
  if (databaseUrl === undefined) {
    await cp(join(folder, "server"), join(folder, "floor"), { recursive: true });
  }
  const serverArgs = [SERVER, "start", "--port", "0"];
  const server = await startProcess(serverArgs, serverEnv, join(folder, "server.log"));
  const floor = await startProcess(["--import", "tsx", FLOOR], floorEnv, join(folder, "floor.log"));
  return {
    floor: {
      name: "bare route",
      url: floor.url,
      request: { path: `/projects/${reader.projectId}` },
      status: 200,
    },
    ...targetsOf(server.url, reader),
    async close() {
      await Promise.all([server.stop(), floor.stop()]);
      await rm(folder, { recursive: true });
    },
  };
}

async function createEnv(
  folder: string,
  name: string,
  databaseUrl: string | undefined,
): Promise<Record<string, string>> {
  const dataDir = join(folder, name);
  await mkdir(dataDir, { mode: 0o700 });
  return {
    SHIPSCORE_DATA_DIR: dataDir,
    SHIPSCORE_CYCLE_SECONDS: "0",
    SHIPSCORE_ALLOW_NETWORKS: "127.0.0.0/8",
    ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
  };
}

/** Adds a reader without any quota left, for the requests that expect 429. */
async function fill(env: Record<string, string>): Promise<Reader> {
  const database = await openDatabase(env, INSERT_DEADLINE_MS);
  const { sql } = database;
  await insertCrowd(database, CROWD);
  const reader = await insertReader(sql, "bench@example.com");
  await sql`
    insert into usage (account_id, month, used)
    values (${reader.accountId}, date_trunc('month', now() at time zone 'utc')::date, ${CHECKS_A_MONTH.team})`;
  await sql`analyze`;
  await database.close();
  return reader;
}

function targetsOf(
  url: string,
  { token, projectId }: Reader,
): Pick<Stage, "reads" | "refusals" | "calls"> {
  const headers = { authorization: `Bearer ${token}` };
  const read = (name: string, path: string) => ({
    name,
    url,
    request: { path: `/api/v1${path}`, headers },
    status: 200,
  });
  const check = (name: string, checked: string, status: number): Target => ({
    name,
    url,
    request: {
      method: "POST",
      path: "/api/v1/check",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ url: checked }),
    },
    status,
  });
  const call = (name: string, message: object, extra: Record<string, string>): Target => ({
    name,
    url,
    request: {
      method: "POST",
      path: "/mcp",
      headers: {
        ...headers,
        ...extra,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify(message),
    },
    status: 200,
  });
  return {
    calls: [
      call("list_projects, 2025", callOf("list_projects"), {
        "mcp-protocol-version": "2025-11-25",
      }),
      call(
        "list_projects, 2026",
        modernCallOf("list_projects"),
        modernHeadersOf("tools/call", "list_projects"),
      ),
    ],
    reads: [
      read("projects", "/projects"),
      read("incidents", `/projects/${projectId}/incidents`),
      read("last-ship", `/projects/${projectId}/last-ship`),
    ],
    refusals: [
      check("check, URL refused", "http://127.0.0.1/", 400),
      check("check, quota used up", "https://127.0.0.1/", 429),
    ],
  };
}
