import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readBlocks } from "../ci/blocks.ts";
import { runSql, waitUntilReady } from "./postgres.ts";
import { findClosedPort } from "./site.ts";
import { environmentOf, findProgram } from "./unpacked.ts";

/** Finds PgBouncer, installed or unpacked. Returns undefined if there is none. */
export const findPooler = (): string | undefined => findProgram(["pgbouncer"]);

/** Starts PgBouncer in transaction mode in front of a Postgres. Gives the Postgres role the limits of docs/database.md. */
export async function startPooler(program: string, postgresUrl: string) {
  const { hostname, port, username } = new URL(postgresUrl);
  const [limits] = (await readBlocks("database.md")).filter(({ language }) => language === "sql");
  await runSql(postgresUrl, (limits?.text ?? "").replaceAll("role shipscore", `role ${username}`));
  const folder = await mkdtemp(join(tmpdir(), "sc-pooler-"));
  const file = join(folder, "pgbouncer.ini");
  const url = new URL(postgresUrl);
  url.port = String(await findClosedPort());
  const settings = [
    "[databases]",
    `* = host=${hostname} port=${port} user=${username}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${url.port}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    "max_client_conn = 2000",
    "server_idle_timeout = 5",
    // PgBouncer refuses to run as root.
    ...(process.getuid?.() === 0 ? ["user = nobody"] : []),
  ];
  await writeFile(file, settings.join("\n"));
  const child = spawn(program, ["--quiet", file], { env: environmentOf(program), stdio: "ignore" });
  const exited = once(child, "exit");
  await waitUntilReady(url.href);
  return {
    url: url.href,
    async stop() {
      child.kill("SIGQUIT");
      await exited;
      await rm(folder, { recursive: true });
    },
  };
}
