import { afterAll, expect, inject, test } from "vitest";
import { useFiles } from "../harness/database.ts";
import { openDatabase } from "../harness/opened-database.ts";
import {
  addAccount,
  getUsage,
  startServerHere,
  startServerProcess,
  type ServerHere,
} from "../harness/process.ts";
import { sendCheck } from "../harness/request.ts";
import { startSlowSite, waitUntil } from "../harness/slow-site.ts";
import { use } from "../harness/use.ts";

const EMAIL = "zoe@example.com";
const KEYS = ["k0", "k1", "k2", "k3", "k4"];

let survivor: ServerHere;

const database = useFiles();
const site = use(startSlowSite);
afterAll(async () => {
  await survivor.end("SIGTERM");
});

/** Moves the ends of the leases that no server works under any more. */
async function moveLeases(by: string): Promise<void> {
  const opened = await openDatabase(database.env);
  await opened.sql`update checks set lease_until = lease_until + ${by}::text::interval where state = 'running'`;
  await opened.close();
}

test("after kill -9 during checks, their quota and keys are given back, and no acknowledged check is lost", async () => {
  const isShared = inject("database") === "postgres";
  const victim = await startServerProcess(database.env);
  if (isShared) survivor = await startServerHere(database.env);
  const token = await addAccount(database.env, EMAIL, "free");
  const ask = (server: ServerHere, key: string) =>
    sendCheck(server.url, token, site.url, { headers: { "idempotency-key": key } });
  /** A busy server is asked again. */
  const check = async (server: ServerHere, key: string): Promise<Response> => {
    const response = await ask(server, key);
    return response.status === 503 ? check(server, key) : response;
  };
  const acknowledged = await (await check(victim, "acknowledged")).text();

  site.hold();
  const before = site.requests.length;
  const lost = KEYS.map((key) =>
    ask(victim, key).then(
      ({ status }) => status,
      () => "cut",
    ),
  );
  await waitUntil(
    "five checks are counted, and visit",
    async () =>
      site.requests.length >= before + KEYS.length &&
      (await getUsage(database.env, EMAIL)) === "6/30",
  );
  await victim.end("SIGKILL");
  await moveLeases("1 hour");
  expect(await Promise.all(lost)).toEqual(KEYS.map(() => "cut"));
  expect(await getUsage(database.env, EMAIL)).toBe("6/30");
  site.release();

  if (!isShared) survivor = await startServerProcess(database.env);
  const rest = await Promise.all(
    Array.from({ length: 28 }, (_, index) => check(survivor, `rest ${index}`)),
  );
  const statuses = rest.map(({ status }) => status);
  expect([
    statuses.filter((status) => status === 200).length,
    statuses.filter((status) => status === 429).length,
  ]).toEqual([24, 4]);

  if (!isShared) await survivor.end("SIGTERM");
  await moveLeases("-1 hour");
  if (!isShared) survivor = await startServerProcess(database.env);
  await waitUntil(
    "the slots are back",
    async () => (await getUsage(database.env, EMAIL)) === "25/30",
  );
  const again = await Promise.all(KEYS.map((key) => check(survivor, key)));
  expect(again.map(({ status }) => status)).toEqual(KEYS.map(() => 200));
  expect((await check(survivor, "one more")).status).toBe(429);
  expect(await getUsage(database.env, EMAIL)).toBe("30/30");
  expect(await (await check(survivor, "acknowledged")).text()).toBe(acknowledged);
});
