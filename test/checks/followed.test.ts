import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { runCheck } from "../../server/checks/check.ts";
import type { CheckStep } from "../../server/engine/visit/visits.ts";
import type { Semaphore } from "../../server/semaphores.ts";
import { addPerson } from "../harness/people.ts";
import { type TestServer, useServer } from "../harness/server.ts";
import { startSlowSite, waitUntil } from "../harness/slow-site.ts";
import { use } from "../harness/use.ts";

let vet: TestServer["deps"]["probe"]["vet"];
let steps: CheckStep[];
let gone: AbortController;

const site = use(startSlowSite);
const server = useServer();
const ann = use(() => addPerson(server, "ann"));
beforeAll(async () => {
  vet = server.deps.probe.vet.bind(server.deps.probe);
});
afterEach(() => {
  server.deps.probe.vet = vet;
  site.release();
});

/** A check that is given up as soon as it comes to the step. */
function check(goneAt?: CheckStep): Promise<string> {
  steps = [];
  gone = new AbortController();
  return runCheck(
    server.deps,
    { by: "token", accountId: ann.accountId },
    {
      request: { url: site.url, preview: false, headers: {} },
      language: "fr",
      signal: gone.signal,
      onStep(step) {
        steps.push(step);
        if (step === goneAt) gone.abort("gone");
      },
    },
  );
}

async function countUsed(): Promise<number> {
  const [usage] = await server.sql<{ used: number }>`
    select used from usage where account_id = ${ann.accountId}`;
  return usage?.used ?? 0;
}

async function countAdmitted(): Promise<number> {
  const rows = await server.sql`
    select from checks where state = 'running' and admitted_at is not null`;
  return rows.length;
}

async function fill(semaphore: Semaphore, key: string): Promise<() => void> {
  const held: (() => void)[] = [];
  const fillFrom = async (): Promise<void> => {
    held.push(await semaphore.acquire(key, 0));
    return fillFrom();
  };
  await expect(fillFrom()).rejects.toMatchObject({ code: "busy" });
  return () => held.forEach((release) => release());
}

/** Resolves when something waits for the semaphore, or in the queue of a host. */
function watch(queue: { acquire?: unknown; admit?: unknown }): Promise<void> {
  return new Promise((resolve) => {
    const name = "acquire" in queue ? "acquire" : "admit";
    const original = queue[name] as (...args: unknown[]) => Promise<unknown>;
    queue[name] = (...args: unknown[]) => {
      queue[name] = original;
      const waiting = original.apply(queue, args);
      resolve();
      return waiting;
    };
  });
}

test("each follower of a check gets each step once, in order", async () => {
  const { url } = JSON.parse(await check()) as { url: string };
  expect([url, steps]).toEqual([site.url, ["vetting", "visiting", "judging"]]);
});

describe("a check abandoned before its visit starts does not count", () => {
  test.each([
    ["reads", "slots of "],
    ["checks", ""],
  ] as const)("while it waits: %s", async (name, prefix) => {
    const semaphore = server.deps.semaphores[name];
    const before = { used: await countUsed(), requests: site.requests.length };
    const release = await fill(semaphore, `${prefix}${ann.accountId}`);
    const waits = watch(semaphore);
    const checking = expect(check()).rejects.toBe("gone");
    await waits;
    gone.abort("gone");
    await checking;
    release();
    expect({ used: await countUsed(), requests: site.requests.length }).toEqual(before);
  });

  test("while it waits for its visit's permit", async () => {
    const before = { used: await countUsed(), requests: site.requests.length };
    const { checks } = server.deps.semaphores;
    let held = Promise.resolve<(() => void)[]>([]);
    let waits = Promise.resolve();
    server.deps.probe.vet = async (...args) => {
      const release = await fill(checks, ann.accountId);
      // The permit of this lookup goes to the first who waits.
      held = checks.acquire(ann.accountId, 60_000).then((last) => [release, last]);
      waits = watch(checks);
      return vet(...args);
    };
    const checking = expect(check()).rejects.toBe("gone");
    await waitUntil("it is vetted", async () => (await held).length > 0);
    await waits;
    expect(await countUsed()).toBe(before.used + 1);
    gone.abort("gone");
    await checking;
    for (const release of await held) release();
    expect({ used: await countUsed(), requests: site.requests.length }).toEqual(before);
  });

  test("while it waits for its host's bounds", async () => {
    server.deps.probe.vet = async (...args) => ({ ...(await vet(...args)), exempt: false });
    const before = await countUsed();
    site.hold();
    const visiting = Array.from({ length: 4 }, () => check());
    await waitUntil("four visit", async () => (await countAdmitted()) === 4);
    const waits = watch(server.deps.hostQueues);
    const checking = expect(check()).rejects.toBe("gone");
    await waits;
    gone.abort("gone");
    await checking;
    site.release();
    await Promise.all(visiting);
    expect(await countUsed()).toBe(before + 4);
  });

  test("while it is vetted", async () => {
    const before = await countUsed();
    await expect(check("vetting")).rejects.toBe("gone");
    expect(await countUsed()).toBe(before);
  });
});

describe("a check abandoned during its visit ends, and counts", () => {
  test.each<CheckStep>(["visiting", "judging"])("%s", async (step) => {
    const before = await countUsed();
    expect(JSON.parse(await check(step))).toMatchObject({ url: site.url });
    expect(steps).toEqual(["vetting", "visiting", "judging"]);
    expect(await countUsed()).toBe(before + 1);
  });
});
