import { getEventListeners } from "node:events";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  callOf,
  connectClient,
  MODERN,
  modernCallOf,
  modernHeadersOf,
  postMcp,
} from "../../harness/mcp.ts";
import { HOST_BOUNDS } from "../../../server/base/bounds.ts";
import { addPerson, addProject, type Person } from "../../harness/people.ts";
import { startTestServer } from "../../harness/server.ts";
import { startSlowSite, waitUntil } from "../../harness/slow-site.ts";
import { use } from "../../harness/use.ts";

const LIMIT = 1000;
const BUSY = "Trop de vérifications";

const site = use(startSlowSite);
const server = use(() =>
  startTestServer({ roots: [site.authority.certificate], env: { SHIPSCORE_LOG_LEVEL: "silent" } }),
);
let ann: Person;
let people = 0;

beforeEach(async () => {
  ann = await addPerson(server, `ann${people++}`);
});
afterEach(() => site.release());

interface Called {
  result?: { isError?: boolean; content: { text: string }[]; structuredContent?: unknown };
  error?: { code: number; message: string };
}

async function run(signal?: AbortSignal): Promise<Called> {
  const options = { token: ann.token, ...(signal && { signal }) };
  const response = await postMcp(server.url, callOf("run_check", { url: site.url }), options);
  return (await response.json()) as Called;
}

const textOf = ({ result }: Called) => result?.content[0]?.text ?? "";

/** Repeats what the server was too busy for, which costs nothing. */
async function runPatiently(): Promise<Called> {
  const called = await run();
  return textOf(called).startsWith(BUSY) ? runPatiently() : called;
}

async function checkPatiently(): Promise<number> {
  const request = { token: ann.token, method: "POST", body: { url: site.url } };
  const { status } = await server.request("/api/v1/check", request);
  return status === 503 ? checkPatiently() : status;
}

async function leave(slots: number): Promise<void> {
  await server.sql`insert into usage (account_id, month, used)
    values (${ann.accountId}, date_trunc('month', now() at time zone 'utc'), ${LIMIT - slots})`;
}

async function countUsed(): Promise<number> {
  const [usage] = await server.sql<{ used: number }>`
    select used from usage where account_id = ${ann.accountId}`;
  return usage?.used ?? 0;
}

const times = <Result>(count: number, act: () => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, act));

describe("the quota", () => {
  test("of 50 parallel calls with 10 left in the quota 10 succeed; the others get the counts", async () => {
    await leave(10);
    const called = await times(50, runPatiently);
    const refused = called.filter(({ result }) => result?.isError);
    expect(called.length - refused.length).toBe(10);
    for (const one of refused) {
      expect(textOf(one)).toBe(
        "Quota mensuel de vérifications épuisé (1000 sur 1000). Il sera renouvelé le 1er du mois prochain (UTC). Ne rappelez pas run_check d'ici là ; les autres outils ne consomment pas de quota.",
      );
      expect(one.result).not.toHaveProperty("structuredContent");
    }
    expect(await countUsed()).toBe(LIMIT);
  });

  test("is shared with the API: of 20 checks and 20 calls with 30 left exactly 30 run", async () => {
    await leave(30);
    const [statuses, called] = await Promise.all([
      times(20, checkPatiently),
      times(20, runPatiently),
    ]);
    const checked = statuses.filter((status) => status === 200).length;
    const done = called.filter(({ result }) => !result?.isError).length;
    expect([checked + done, await countUsed()]).toEqual([30, LIMIT]);
  });

  test("is not queried for a rejected URL", async () => {
    const body = callOf("run_check", { url: "https://10.0.0.1/" });
    const called = (await (await postMcp(server.url, body, { token: ann.token })).json()) as Called;
    expect(called.result?.isError).toBe(true);
    expect(textOf(called)).toMatch(/^L'hôte « 10\.0\.0\.1 » est privé.* Corrigez l'URL/);
    expect(await countUsed()).toBe(0);
  });
});

/** Runs as many checks of the account as may visit the host, so that its next one takes a slot and waits. */
async function occupyHost(): Promise<() => Promise<unknown>> {
  site.hold();
  const { vet } = server.deps.probe;
  server.deps.probe.vet = async (...args) => ({ ...(await vet(...args)), exempt: false });
  const running = times(HOST_BOUNDS.account.atOnce, () => run());
  await waitUntil(
    "all have a slot",
    async () => (await countUsed()) === HOST_BOUNDS.account.atOnce,
  );
  return () => {
    server.deps.probe.vet = vet;
    site.release();
    return running;
  };
}

describe("a call whose connection ends", () => {
  test("does not count if its visit has not started", async () => {
    const release = await occupyHost();
    const used = HOST_BOUNDS.account.atOnce;
    const gone = new AbortController();
    const ended = expect(run(gone.signal)).rejects.toThrow("aborted");
    await waitUntil("the slot is taken", async () => (await countUsed()) === used + 1);
    gone.abort();
    await ended;
    await waitUntil("the slot is back", async () => (await countUsed()) === used);
    await release();
  });

  test("counts like a check of the API if it has", async () => {
    site.hold();
    const clients = [
      run,
      (signal: AbortSignal) => {
        const body = { url: site.url };
        return server.request("/api/v1/check", { token: ann.token, method: "POST", body, signal });
      },
    ];
    const countVisits = () => site.requests.filter(({ url }) => url === "/").length;
    for (const [index, ask] of clients.entries()) {
      const before = countVisits();
      const gone = new AbortController();
      const ended = expect(ask(gone.signal)).rejects.toThrow("aborted");
      await waitUntil("it visits", () => countVisits() > before);
      gone.abort();
      await ended;
      expect(await countUsed()).toBe(index + 1);
    }
    site.release();
    await waitUntil("both are done", async () => {
      const rows = await server.sql`
        select from checks where account_id = ${ann.accountId} and state = 'done'`;
      return rows.length === 2;
    });
    expect(await countUsed()).toBe(2);
  });

  test(`is what a client of ${MODERN} does to cancel`, async () => {
    const release = await occupyHost();
    const used = HOST_BOUNDS.account.atOnce;
    const client = await connectClient(server.url, ann.token, MODERN);
    const gone = new AbortController();
    const call = client.callTool(
      { name: "run_check", arguments: { url: site.url } },
      { signal: gone.signal },
    );
    const ended = expect(call).rejects.toThrow();
    await waitUntil("the slot is taken", async () => (await countUsed()) === used + 1);
    gone.abort();
    await ended;
    await waitUntil("the slot is back", async () => (await countUsed()) === used);
    await release();
    await client.close();
  });

  test("a notification of cancellation alone changes nothing", async () => {
    site.hold();
    const before = site.requests.length;
    const running = run();
    await waitUntil("it visits", () => site.requests.length > before);
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
    expect((await postMcp(server.url, cancel, { token: ann.token })).status).toBe(202);
    site.release();
    expect((await running).result?.structuredContent).toMatchObject({ url: site.url });
  });
});

test("a server that abandons its work answers in the words of the API, and the call does not count", async () => {
  const ending = await startTestServer({ roots: [site.authority.certificate] });
  const { token } = await addPerson(ending, "eve");
  site.hold();
  const before = site.requests.length;
  const body = callOf("run_check", { url: site.url });
  const answer = postMcp(ending.url, body, { token });
  await waitUntil("it visits", () => site.requests.length > before);
  ending.abandonWork();
  expect(await (await answer).json()).toMatchObject({
    error: { code: -32603, message: "Le serveur s'arrête. Réessayez dans quelques secondes." },
  });
  const [usage] = await ending.sql<{ used: number }>`select used from usage`;
  expect(usage?.used).toBe(0);
  await ending.close();
});

describe("thousands of calls", () => {
  const WARM_UP = 2500;
  const CALLS = 2500;
  const AT_ONCE = 10;
  /** An object of 2 KB kept for each call would be over it. */
  const KEPT_BYTES = 4_000_000;

  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;

  function count() {
    const { draining, stopping } = server.deps;
    collect();
    return {
      listeners: [draining, stopping].map((signal) => getEventListeners(signal, "abort").length),
      timers: process.getActiveResourcesInfo().filter((name) => name === "Timeout").length,
      bytes: process.memoryUsage().heapUsed,
    };
  }

  test.each<[string, object, Record<string, string>]>([
    ["2025", callOf("list_projects"), {}],
    [MODERN, modernCallOf("list_projects"), modernHeadersOf("tools/call", "list_projects")],
  ])("of %s leave no memory behind", async (_, message, headers) => {
    await addProject(server, ann, "https://127.0.0.1:8443/", "Shop");
    const call = async () => {
      const response = await postMcp(server.url, message, { token: ann.token, headers });
      const { result } = (await response.json()) as Called;
      expect(result?.structuredContent).toMatchObject({ projects: [{ name: "Shop" }] });
    };
    for (let i = 0; i < WARM_UP / AT_ONCE; i++) await times(AT_ONCE, call);
    const before = count();
    for (let i = 0; i < CALLS / AT_ONCE; i++) await times(AT_ONCE, call);
    const after = count();
    expect(after.listeners).toEqual(before.listeners);
    expect(after.timers).toBeLessThanOrEqual(before.timers + AT_ONCE);
    expect(after.bytes - before.bytes).toBeLessThan(KEPT_BYTES);
  });
});
