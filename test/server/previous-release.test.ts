import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { connectDatabase, type Database } from "../../server/db/sql.ts";
import { createTestDatabase, type TestDatabase } from "../harness/database.ts";
import { runSql } from "../harness/postgres.ts";
import { unpackPreviousRelease } from "../harness/previous-release.ts";
import {
  addAccount,
  getUsage,
  runOrThrow,
  runServerCommand,
  startServerProcess,
  type ServerProcess,
} from "../harness/process.ts";
import { sendRequest, type RequestOptions } from "../harness/request.ts";
import { startSlowSite, waitUntil, type SlowSite } from "../harness/slow-site.ts";

/** As a rolling deployment has it: a server of the previous release serves on while the next one migrates and serves. */
describe.runIf(inject("database") === "postgres")("beside the previous release", () => {
  let folder: string;
  let previousProgram: string;
  let files: TestDatabase;
  let database: Database;
  let site: SlowSite;
  let previous: ServerProcess;
  let leaving: ServerProcess;
  let next: ServerProcess;
  let token: string;
  let project: string;
  let invited: string;

  const run = (...args: string[]) => runOrThrow(args, files.env);
  const startPrevious = () => startServerProcess(files.env, [], previousProgram);
  /** Begins a check that visits until the site is released. */
  const beginCheck = async (server: ServerProcess, key: string) => {
    site.hold();
    const visits = site.requests.length;
    const answer = check(server, key);
    answer.catch(() => {});
    await waitUntil("the check visits", () => site.requests.length > visits);
    return { answer };
  };
  const ask = (server: ServerProcess, path: string, options: RequestOptions = {}) =>
    sendRequest(server.url, `/api/v1${path}`, { token, ...options });
  const check = (server: ServerProcess, key: string, by = token, url = site.url) =>
    ask(server, "/check", {
      token: by,
      method: "POST",
      body: { url },
      headers: { "idempotency-key": key },
    });
  const lastShipPath = () => `/projects/${project}/last-ship`;
  const readAll = (server: ServerProcess) =>
    Promise.all(
      ["/projects", `/projects/${project}/incidents`, lastShipPath()].map(async (path) => {
        const answer = await ask(server, path);
        return [path, answer.status, await answer.json()];
      }),
    );

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "sc-previous-"));
    previousProgram = await unpackPreviousRelease(folder);
    files = await createTestDatabase();
    const url = files.env["DATABASE_URL"] ?? "";
    await runSql(url, "drop schema public cascade; create schema public");
    database = connectDatabase({ url }, { connections: 2 });
    site = await startSlowSite();
    previous = await startPrevious();
    leaving = await startPrevious();
    token = await addAccount(files.env, "ann@example.com", "pro", previousProgram);
    project = await runOrThrow(
      ["project", "add", "ann@example.com", "--name", "Site", "--url", site.url],
      files.env,
      previousProgram,
    );
    invited = await addAccount(files.env, "bob@example.com", "team", previousProgram);
    await runOrThrow(["project", "share", project, "bob@example.com"], files.env, previousProgram);
  });
  afterAll(async () => {
    await Promise.all([previous, leaving, next].map((server) => server.end("SIGKILL")));
    await site.close();
    await database.close();
    await files.drop();
    await rm(folder, { recursive: true });
  });

  test("a command of the next one asks for the migration, which the running server goes on through", async () => {
    const { exitCode, stderr } = await runServerCommand(["account", "list"], files.env);
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringContaining("Run shipscore-server migrate"),
    ]);
    const { answer } = await beginCheck(previous, "through the migration");
    expect(await run("migrate")).toMatch(/^applied \d/);
    site.release();
    expect((await answer).status).toBe(200);
    await run("deployment", "record", project, "--url", site.url, "--ref", "of the previous");
    await waitUntil("it verifies what was recorded", async () => {
      const { lastShip } = (await (await ask(previous, lastShipPath())).json()) as {
        lastShip: { score: number | null };
      };
      return lastShip.score !== null;
    });
    next = await startServerProcess(files.env);
  });

  test("what either answered the other repeats, byte for byte", async () => {
    for (const [first, second] of [
      [previous, next],
      [next, previous],
    ] as const) {
      const key = `asked of ${first.url}`;
      const answer = await check(first, key);
      const text = await answer.text();
      expect([answer.status, await (await check(second, key)).text()]).toEqual([200, text]);
      const other = await check(second, key, token, new URL("/other", site.url).href);
      expect(other.status).toBe(400);
    }
    expect(await getUsage(files.env, "ann@example.com")).toBe("3/300");
  });

  test("of 120 parallel checks at both with 30 slots exactly 30 are accepted", async () => {
    const max = await addAccount(files.env, "max@example.com", "free");
    const insist = async (index: number): Promise<number> => {
      const { status } = await check(index % 2 === 0 ? previous : next, `k${index}`, max);
      return status === 503 ? insist(index) : status;
    };
    const statuses = await Promise.all(Array.from({ length: 120 }, (_, index) => insist(index)));
    const count = (status: number) => statuses.filter((each) => each === status).length;
    expect([count(200), count(429)]).toEqual([30, 90]);
    expect(await getUsage(files.env, "max@example.com")).toBe("30/30");
  });

  test("deployments, states and incidents read the same at both", async () => {
    await run("deployment", "record", project, "--url", site.url, "--ref", "of both", "--wait");
    for (let round = 1; round <= 2; round++) await run("round");
    const reads = await readAll(previous);
    expect(reads).toEqual([
      ["/projects", 200, { projects: [expect.objectContaining({ state: "down" })] }],
      [
        `/projects/${project}/incidents`,
        200,
        { incidents: [expect.objectContaining({ url: site.url })] },
      ],
      [
        lastShipPath(),
        200,
        { lastShip: expect.objectContaining({ ref: "of both", score: expect.any(Number) }) },
      ],
    ]);
    expect(await readAll(next)).toEqual(reads);
  });

  test("each check says what it was made for, whichever of them inserted it", async () => {
    const kinds = await database.sql`
      select distinct kind, account_id is not null as takes_slot, project_id from checks where state = 'done' order by kind`;
    expect(kinds).toEqual([
      { kind: "api", takesSlot: true, projectId: null },
      { kind: "cycle", takesSlot: false, projectId: project },
      { kind: "deployment", takesSlot: false, projectId: project },
    ]);
  });

  test("the previous one drains: its check ends with a 200", async () => {
    const { answer } = await beginCheck(leaving, "while it drains");
    const ended = leaving.end("SIGTERM");
    site.release();
    expect((await answer).status).toBe(200);
    expect(await ended).toBe(0);
  });

  test("whom the previous one invited accepts at the next one, and both see the same", async () => {
    const seen = () =>
      Promise.all(
        [previous, next].map(async (server) =>
          (await ask(server, "/projects", { token: invited })).json(),
        ),
      );
    const none = { projects: [] };
    expect(await seen()).toEqual([none, none]);
    await run("project", "accept", project, "bob@example.com");
    const shared = { projects: [expect.objectContaining({ id: project, role: "member" })] };
    expect(await seen()).toEqual([shared, shared]);
    await run("project", "unshare", project, "bob@example.com");
    expect(await seen()).toEqual([none, none]);
  });

  test("a token is known to both at once, and to neither once it is revoked", async () => {
    const made = await addAccount(files.env, "eve@example.com");
    const statuses = () =>
      Promise.all(
        [previous, next].map(
          async (server) => (await ask(server, "/projects", { token: made })).status,
        ),
      );
    expect(await statuses()).toEqual([200, 200]);
    const tokens = JSON.parse(await run("token", "list", "eve@example.com", "--json")) as {
      id: string;
    }[];
    await run("token", "revoke", tokens[0]?.id ?? "");
    expect(await statuses()).toEqual([401, 401]);
  });

  test.each(["next", "previous"] as const)(
    "a slot of the %s one, killed in its check, is given back by the other",
    async (which) => {
      const before = await getUsage(files.env, "ann@example.com");
      const victim = which === "next" ? next : previous;
      const { answer } = await beginCheck(victim, `lost by ${which}`);
      await victim.end("SIGKILL");
      await expect(answer).rejects.toThrow();
      site.release();
      expect(await getUsage(files.env, "ann@example.com")).not.toBe(before);
      await database.sql`update checks set lease_until = now() where state = 'running'`;
      await waitUntil(
        "the slot is back",
        async () => (await getUsage(files.env, "ann@example.com")) === before,
      );
      if (which === "next") next = await startServerProcess(files.env);
    },
  );

  test("a program of schema 3 refuses a newer one at its next start, and says what to do", async () => {
    const { exitCode, stderr } = await runServerCommand(["start"], files.env, {
      program: previousProgram,
    });
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("Upgrade shipscore-server.")]);
  });
});
