import { spawnSync } from "node:child_process";
import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, inject, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import {
  addAccount,
  runOrThrow,
  runServerCommand,
  startServerProcess,
  type ServerProcess,
  refused,
} from "../../harness/process.ts";
import { sendRequest } from "../../harness/request.ts";

/** A user who may mount. */
const canMount = spawnSync("unshare", ["-m", "mount", "-t", "tmpfs", "tmpfs", "/mnt"]).status === 0;

/** Loaded first: the library of a package is missing, as on a platform that it does not support. */
const LOST_LIBRARY = `data:text/javascript,${encodeURIComponent(`
  const { dlopen } = process;
  process.dlopen = (module, file, ...flags) => {
    if (file.includes("fs-native-extensions")) throw new Error("no such library");
    return dlopen.call(process, module, file, ...flags);
  };
`)}`;

describe.runIf(inject("database") === "embedded")("a data directory", () => {
  let database: TestDatabase;
  let dataDir: string;
  const running: ServerProcess[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
    dataDir = database.env["SHIPSCORE_DATA_DIR"] ?? "";
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((server) => server.end("SIGTERM")));
    await database.drop();
  });

  async function start(): Promise<ServerProcess> {
    const server = await startServerProcess(database.env);
    running.push(server);
    return server;
  }

  const statusFor = async (server: ServerProcess, token: string) =>
    (await sendRequest(server.url, "/api/v1/projects", { token })).status;

  test("cannot be opened by a second server, which names the first in one line", async () => {
    const first = await start();
    const { exitCode, stdout, stderr } = await runServerCommand(
      ["start", "--port", "0"],
      database.env,
    );
    expect([exitCode, stdout]).toEqual([1, ""]);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).toContain("`shipscore-server start`");
    expect(stderr).toContain(`process ${first.child.pid}`);
    expect((await sendRequest(first.url, "/readyz")).status).toBe(200);
  });

  test("with a path too long for a socket is rejected in one line, and not created", async () => {
    const long = join(dataDir, "x".repeat(100));
    const stderr = refused(await runServerCommand(["migrate", "--data-dir", long], {}), 2);
    expect(stderr).toContain("too long");
    expect(stderr).toContain("--data-dir");
    expect(await readdir(dataDir)).toEqual([]);
  });

  test("left by a killed process is taken over, without loss of acknowledged data", async () => {
    const killed = await start();
    const token = await addAccount(database.env, "kim@example.com");
    await killed.end("SIGKILL");
    running.pop();
    expect(await readdir(dataDir)).toContain("admin.sock");
    const next = await start();
    expect(await statusFor(next, token)).toBe(200);
    await next.end("SIGTERM");
    expect(await readdir(dataDir)).not.toContain("admin.sock");
  });

  test("only lets its owner lock and serve it", async () => {
    await start();
    for (const name of ["lock", "admin.sock", "postgres.sock"])
      expect((await stat(join(dataDir, name))).mode & 0o777).toBe(0o600);
  });

  test.runIf(canMount)("on a read-only disk is rejected in one line", async () => {
    await mkdir(dataDir, { recursive: true });
    const mounted = `mount -t tmpfs -o ro tmpfs ${dataDir} && exec "$@"`;
    const starting = startServerProcess(
      database.env,
      [],
      ["unshare", "-m", "sh", "-c", mounted, "sh"],
    );
    await expect(starting).rejects.toThrow(
      `The data directory ${dataDir} cannot be written or locked: EROFS.`,
    );
  });

  test("needs the library for locks, with an error if it is missing", async () => {
    const lost = { NODE_OPTIONS: `--import=${LOST_LIBRARY}` };
    const { exitCode, stderr } = await runServerCommand(["start"], { ...database.env, ...lost });
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(
        /^shipscore-server: The embedded database needs the package fs-native-extensions, [^\n]+\n$/,
      ),
    ]);
  });

  test("is unpacked again if that was interrupted", async () => {
    await writeFile(join(dataDir, "postgres.new-Abcdef"), "");
    await runOrThrow(["migrate"], database.env);
    const names = await readdir(dataDir);
    expect(names).toContain("postgres");
    expect(names).not.toContain("postgres.new-Abcdef");
  });

  test("is opened by exactly one of ten servers that start at the same time", async () => {
    const results = await Promise.allSettled(Array.from({ length: 10 }, start));
    const refusals = results.flatMap((result) =>
      result.status === "rejected" ? String(result.reason) : [],
    );
    expect(refusals).toHaveLength(9);
    expect(running).toHaveLength(1);
    for (const refusal of refusals) {
      expect(refusal).toContain("ended with 1");
      expect(refusal).toContain(`process ${running[0]?.child.pid}`);
    }
  });

  test.each(["beside a running server", "without one"])(
    "serves the operator's commands %s",
    async (where) => {
      if (where === "beside a running server") await start();
      const token = await addAccount(database.env, "ada@example.com", "pro");
      const project = await runOrThrow(
        ["project", "add", "ada@example.com", "--name", "Site", "--url", "https://127.0.0.1:9/"],
        database.env,
      );
      expect(project).toMatch(/^prj_/);
      const repeated = await runServerCommand(
        ["account", "add", "ada@example.com", "--plan", "pro"],
        database.env,
      );
      expect([repeated.exitCode, repeated.stderr]).toEqual([
        1,
        expect.stringContaining("An account for ada@example.com already exists"),
      ]);
      const server = running[0] ?? (await start());
      const { projects } = (await (
        await sendRequest(server.url, "/api/v1/projects", { token })
      ).json()) as { projects: unknown[] };
      expect(projects).toEqual([
        expect.objectContaining({ id: project, name: "Site", role: "owner" }),
      ]);
    },
  );

  test("serves ten token creations at once without a server: five succeed", async () => {
    await runOrThrow(["account", "add", "tim@example.com", "--plan", "free"], database.env);
    const create = () =>
      runServerCommand(["token", "add", "tim@example.com", "--name", "many"], database.env);
    const results = await Promise.all(Array.from({ length: 10 }, create));
    const count = (code: number) => results.filter(({ exitCode }) => exitCode === code).length;
    expect([count(0), count(1)]).toEqual([5, 5]);
    for (const { exitCode, stdout, stderr } of results) {
      if (exitCode === 0)
        expect([stdout, stderr]).toEqual([expect.stringMatching(/^psk_[0-9A-Za-z]{40}\n$/), ""]);
      else expect([stdout, stderr]).toEqual(["", expect.stringContaining("has 5 active tokens")]);
    }
    const tokens = (await runOrThrow(["token", "list", "tim@example.com"], database.env)).split(
      "\n",
    );
    expect(tokens).toHaveLength(5);
  });
});
