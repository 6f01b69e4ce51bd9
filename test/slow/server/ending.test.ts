import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { openDatabase } from "../../harness/opened-database.ts";
import {
  addAccount,
  runOrThrow,
  runServerCommand,
  startServerProcess,
  type ServerProcess,
  refused,
} from "../../harness/process.ts";
import { sendCheck } from "../../harness/request.ts";
import { startSlowSite, waitUntil } from "../../harness/slow-site.ts";
import { use } from "../../harness/use.ts";

const EMAIL = "noa@example.com";

let database: TestDatabase;
let server: ServerProcess | undefined;
let token: string;
let project: string;

const site = use(startSlowSite);
beforeEach(async () => {
  database = await createTestDatabase();
  token = await addAccount(database.env, EMAIL);
  const words = ["project", "add", EMAIL, "--name", "Shop", "--url", `${site.url}looked`];
  project = await runOrThrow(words, database.env);
  site.requests.length = 0;
  site.hold();
});
afterEach(async () => {
  await server?.end("SIGKILL");
  server = undefined;
  site.release();
  await database.drop();
});

const print = (...words: string[]) => runOrThrow(words, database.env);
const record = (path: string) => print("deployment", "add", project, "--url", `${site.url}${path}`);
const isVisited = (path: string) => site.requests.some(({ url }) => url === `/${path}`);
const untilVisited = (...paths: string[]) =>
  waitUntil(`visits of ${paths.join(", ")}`, () => paths.every(isVisited));
const check = (options = {}) => sendCheck(server?.url ?? "", token, `${site.url}checked`, options);

/** What is claimed, running or taken in the database, now that its server has ended. */
async function listLeft() {
  const opened = await openDatabase(database.env);
  const { sql } = opened;
  const urls =
    await sql`select url, claim_id, looked_at is not null as begun from watched_urls join looks using (number) order by url`;
  const deployments =
    await sql`select url, claim_id, tries, check_id from deployments order by url`;
  const checks = await sql`select from checks where state = 'running'`;
  const [usage] = await sql<{
    used: number;
  }>`select coalesce(sum(used), 0)::int as used from usage`;
  await opened.close();
  return { urls, deployments, running: checks.length, used: usage?.used };
}

test("a draining server claims nothing more, and finishes what runs", async () => {
  server = await startServerProcess({ ...database.env, SHIPSCORE_CYCLE_SECONDS: "1" });
  await untilVisited("looked");
  const ended = server.end("SIGTERM");
  await waitUntil("it drains", () => server?.stdout().includes("draining") === true);
  await print("project", "watch", project, `${site.url}watched-late`);
  await record("shipped-late");
  // Two turns of its cycle, and more.
  await sleep(2500);
  site.release();
  expect(await ended).toBe(0);
  expect([isVisited("watched-late"), isVisited("shipped-late")]).toEqual([false, false]);
  expect(await listLeft()).toMatchObject({
    urls: [
      { url: `${site.url}looked`, claimId: null, begun: true },
      { url: `${site.url}watched-late`, claimId: null, begun: false },
    ],
    deployments: [{ claimId: null, tries: 0, checkId: null }],
    running: 0,
  });
});

test("a second interrupt abandons checks, probes and deployments immediately", async () => {
  server = await startServerProcess({ ...database.env, SHIPSCORE_CYCLE_SECONDS: "1" });
  await record("shipped");
  let isAnswered = false;
  const answer = check().finally(() => (isAnswered = true));
  await untilVisited("looked", "shipped", "checked");
  const ended = server.end("SIGINT");
  // A program that has nothing left to do hears no signal any more, and one more would end it by itself.
  await waitUntil("it lets go", async () => {
    await sleep(250);
    await setImmediate();
    if (!isAnswered) server?.child.kill("SIGINT");
    return isAnswered;
  });
  const { status, headers } = await answer;
  expect([await ended, status, headers.get("retry-after")]).toEqual([0, 503, "2"]);
  expect(await listLeft()).toMatchObject({
    urls: [{ claimId: null, begun: false }],
    deployments: [{ claimId: null, tries: 0, checkId: null }],
    running: 0,
    used: 0,
  });
});

test("a check whose client has disconnected ends too", async () => {
  server = await startServerProcess(database.env);
  const gone = new AbortController();
  const answer = check({ signal: gone.signal });
  await untilVisited("checked");
  gone.abort();
  await expect(answer).rejects.toThrow("aborted");
  const ended = server.end("SIGTERM");
  await waitUntil("it drains", () => server?.stdout().includes("draining") === true);
  site.release();
  expect(await ended).toBe(0);
  expect(await listLeft()).toMatchObject({ running: 0, used: 1 });
});

test("an interrupted round gives back its probes, with a message", async () => {
  const interruption = untilVisited("looked").then(() => "SIGTERM" as const);
  expect(
    refused(
      await runServerCommand(["round"], database.env, {
        interruption,
      }),
      1,
    ),
  ).toContain("The round was cut short");
  expect(await listLeft()).toMatchObject({ urls: [{ claimId: null, begun: false }] });
});
