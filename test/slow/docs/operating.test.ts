import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { execa } from "execa";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readBlocks } from "../../ci/blocks.ts";
import { ROOT } from "../../harness/package.ts";
import { findPostgresTools, type PostgresServer, startPostgres } from "../../harness/postgres.ts";
import { findClosedPort } from "../../harness/site.ts";
import {
  BIN,
  runServerCommand,
  startServerProcess,
  type ServerProcess,
} from "../../harness/process.ts";
import { useFolder } from "../../harness/use.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const tools = await findPostgresTools();

const page = await readBlocks("operating.md");
const blocks = page.filter(({ language }) => language === "sh");
const EMBEDDED = /\$SHIPSCORE_DATA_DIR|shipscore\.tar\.gz|restored -|^openssl/m;
const ofEmbedded = blocks.filter(({ text }) => EMBEDDED.test(text));
const ofPostgres = blocks.filter(({ text }) => !EMBEDDED.test(text));

const folder = useFolder();
let path: string;

beforeAll(async () => {
  const bin = join(folder, "bin");
  await mkdir(bin);
  const command = join(bin, "shipscore-server");
  await writeFile(command, `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`);
  await chmod(command, 0o755);
  path = [bin, tools, process.env["PATH"]].filter(Boolean).join(delimiter);
});

/** Runs a block unchanged, in the folder of this run. */
async function run(text: string, env: Record<string, string>): Promise<string> {
  const options = { cwd: folder, extendEnv: false, env: { PATH: path, HOME: folder, ...env } };
  const { stdout } = await execa("sh", ["-euc", text], options);
  return stdout;
}

async function addProject(env: Record<string, string>): Promise<void> {
  for (const args of [
    ["account", "add", "ada@example.com", "--plan", "team"],
    [
      "project",
      "add",
      "ada@example.com",
      "--name",
      "StoredStatus",
      "--url",
      "https://example.com/",
    ],
  ]) {
    const { exitCode, stderr } = await runServerCommand(args, env);
    expect([exitCode, stderr.includes("error")]).toEqual([0, false]);
  }
}

/** Expects a server to start with these settings, and to be ready. */
async function expectReady(env: Record<string, string>): Promise<void> {
  const server = await startServerProcess(env);
  const answer = await fetch(new URL("/readyz", server.url));
  expect(await server.end("SIGTERM")).toBe(0);
  expect(answer.status).toBe(200);
}

test("every block is run here", () => {
  expect(ofPostgres.length).toBeGreaterThan(5);
  expect(ofEmbedded.length).toBe(3);
});

test("each command in a sentence exists", async () => {
  const whole = await readFile(join(ROOT, "docs", "operating.md"), "utf8");
  const named = [...whole.matchAll(/`shipscore-server ([a-z]+(?: [a-z]+)?)[^`]*`/g)];
  expect(named.length).toBeGreaterThan(1);
  for (const [, words = ""] of named) {
    const { exitCode, stdout } = await runServerCommand([...words.split(" "), "--help"], {});
    expect([words, exitCode]).toEqual([words, 0]);
    expect(stdout).toContain(`Usage: shipscore-server ${words} `);
  }
});

test("the commands back up and restore the embedded database, and make a key", async () => {
  const env = { SHIPSCORE_DATA_DIR: join(folder, "data") };
  await addProject(env);
  const said: string[] = [];
  for (const { text } of ofEmbedded) said.push(await run(text, env));
  expect(said[1]).toContain("StoredStatus");
  await expectReady({ SHIPSCORE_DATA_DIR: join(folder, "restored") });
  expect(Buffer.from(said[2] ?? "", "base64")).toHaveLength(32);
});

describe.skipIf(tools === undefined)("with Postgres", () => {
  let postgres: PostgresServer;
  let server: ServerProcess;
  let env: Record<string, string>;
  const said = new Map<string, string>();

  beforeAll(async () => {
    postgres = await startPostgres([], tools);
    const restored = new URL(postgres.url);
    restored.pathname = "/shipscore_restored";
    env = {
      DATABASE_URL: postgres.url,
      RESTORED_URL: restored.href,
      SHIPSCORE_METRICS_ADDRESS: `127.0.0.1:${await findClosedPort()}`,
    };
    server = await startServerProcess(env);
    await addProject({ DATABASE_URL: postgres.url });
  });
  afterAll(async () => {
    await server.end("SIGTERM");
    await postgres.stop();
  });

  test.each(ofPostgres)("$system: $text", async ({ text }) => {
    said.set(text, await run(text, { ...env, SHIPSCORE_URL: server.url }));
  });

  test("the restored database has the project, and each command prints its result", () => {
    const find = (part: string) => [...said].find(([text]) => text.includes(part))?.[1];
    expect(find("pg_restore")).toContain("StoredStatus");
    expect(find("readyz")).toContain("ready");
    expect(find("/metrics")?.split("\n")).toHaveLength(3);
    expect(find("pg_class")?.split("\n")).toHaveLength(5);
    expect(find("status --json")).toContain('"urlsWatched"');
  });

  test("a server starts on the restored database", async () => {
    await expectReady({ DATABASE_URL: env["RESTORED_URL"] ?? "" });
  });
});
