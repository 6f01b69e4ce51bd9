import { setMaxListeners } from "node:events";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { lookAt } from "../../../../server/watching/look-with-retry.ts";
import { type Look, NO_LOOK } from "../../../../server/engine/judge/look-outcome.ts";
import { createLog } from "../../../../server/base/log.ts";
import { createMetrics } from "../../../../server/base/metrics.ts";
import { parseNetworks } from "../../../../server/engine/net/address.ts";
import type { Conclusion } from "../../../../server/engine/visit/visits.ts";
import {
  createThreads,
  Interrupted,
  type Threads,
} from "../../../../server/engine/visit/threads.ts";
import { type Answer, type HostileSite, startHostileSite } from "../../../hostile/hostile-site.ts";
import { answerOf, drip, flood, head, redirectTo } from "../../../hostile/writing.ts";
import { getAuthority } from "../../../harness/site.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const PAGE = answerOf("<!doctype html><title>Hello</title><p>Hello there.");
const SICK = head("500 Internal Server Error", "content-length: 0");
const never = new AbortController().signal;
setMaxListeners(0, never);
const LOOK_MS = 25_000;

const looking = (threads: Pick<Threads, "run">, stopping = never) => ({
  threads: threads as Threads,
  stopping,
  log: createLog("fatal", () => undefined),
  metrics: createMetrics(),
});

let threads: Threads;
const sites: HostileSite[] = [];

beforeAll(async () => {
  const { certificate } = await getAuthority();
  const [allowNetworks, scanNetworks] = [parseNetworks("127.0.0.0/8"), parseNetworks("")];
  const setting = { allowNetworks, scanNetworks, userAgent: "shipscore-test" };
  threads = createThreads({ ...setting, roots: [certificate] });
});
afterAll(async () => {
  await threads.close();
  await Promise.all(sites.map((site) => site.close()));
});

/** Looks until this process was not kept from it by others on the machine, which makes a look inconclusive. */
async function lookUndisturbed(url: string): Promise<Look> {
  for (;;) {
    const startedAt = performance.now();
    const look = await lookAt(looking(threads), url);
    expect(performance.now() - startedAt).toBeLessThan(2 * LOOK_MS);
    if (!look.isOwnFault) return look;
  }
}

async function openSite(answer: Answer): Promise<HostileSite> {
  const site = await startHostileSite(answer);
  sites.push(site);
  return site;
}

/** Looks at a site that gives these answers in turn, the last of them from then on. */
async function lookAtSite(
  ...answers: (string | Buffer)[]
): Promise<{ look: Look; times: number[] }> {
  const times: number[] = [];
  const site = await openSite((socket) => {
    times.push(performance.now());
    socket.write(answers[Math.min(times.length, answers.length) - 1] ?? "");
  });
  return { look: await lookAt(looking(threads), site.url), times };
}

describe("a probe", () => {
  it("fails after its second request, a second after the first", async () => {
    const { look, times } = await lookAtSite(SICK);
    expect(look).toMatchObject({ outcome: "failed", isAnswered: true, isOwnFault: false });
    expect(look.reason?.en).toMatch(/responds with 500\.$/);
    expect(times).toHaveLength(2);
    expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it("is good if the second attempt is", async () => {
    const { look, times } = await lookAtSite(SICK, PAGE);
    expect([look.outcome, times.length]).toEqual(["good", 2]);
  });

  it("sends one request to a good site, and measures its first byte", async () => {
    const { look, times } = await lookAtSite(PAGE);
    expect(look).toEqual({
      ...NO_LOOK,
      outcome: "good",
      isAnswered: true,
      isOwnFault: false,
      firstByteMs: expect.any(Number),
      seen: expect.objectContaining({ status: 200, rule: null, failure: null }),
    });
    expect(times).toHaveLength(1);
  });

  it.each([
    ["503 Service Unavailable", "failed"],
    ["429 Too Many Requests", "inconclusive"],
  ])("sends no second request if %s asks for a longer wait", async (status, outcome) => {
    const { look, times } = await lookAtSite(
      head(status, "retry-after: 7200", "content-length: 0"),
    );
    expect(look).toMatchObject({ outcome, retryAfterSeconds: 3600 });
    expect(times).toHaveLength(1);
  });

  it("follows at most 19 redirects in each attempt", async () => {
    let requests = 0;
    const site = await openSite((socket, { path }) => {
      requests++;
      socket.write(redirectTo(`${path}a/`));
    });
    expect((await lookAt(looking(threads), site.url)).outcome).toBe("failed");
    expect(requests).toBe(40);
  });
});

const HARMFUL: [name: string, answer: Answer, outcome: Look["outcome"]][] = [
  ["that says nothing", () => undefined, "failed"],
  ["whose body drips", (s) => drip(s, head("200 OK", "content-length: 99999"), "a"), "good"],
  [
    "whose headers have no end",
    (s) => flood(s, "HTTP/1.1 200 OK\r\n", "x: y\r\n".repeat(1000)),
    "failed",
  ],
  [
    "whose body has no end",
    (s) => flood(s, head("200 OK", "connection: close"), "<p>".repeat(10_000)),
    "good",
  ],
  [
    "that redirects late each time",
    (s, { path }) => void setTimeout(() => s.write(redirectTo(`${path}a/`)), 3000),
    "inconclusive",
  ],
];

describe("probes of many sites at the same time", () => {
  it("end within 25 s at slow sites, and run at the others at the same time", async () => {
    const good = await openSite((socket) => socket.write(PAGE));
    const held = HARMFUL.flatMap((one) => Array.from({ length: 8 }, () => one));
    const order: string[] = [];
    const harmed = held.map(async ([name, answer, outcome]) => {
      const { url } = await openSite(answer);
      expect([name, (await lookUndisturbed(url)).outcome]).toEqual([name, outcome]);
      order.push(name);
    });
    const others = Array.from({ length: 64 }, async () => {
      expect((await lookUndisturbed(good.url)).outcome).toBe("good");
      order.push("good");
    });
    await Promise.all([...harmed, ...others]);
    // These are waited for for 10 s.
    const silent = order.indexOf(HARMFUL[0]?.[0] ?? "");
    expect(order.slice(0, silent).filter((name) => name === "good")).toHaveLength(64);
  });
});

const FAILED: Look = { ...NO_LOOK, outcome: "failed", isOwnFault: false };
const GOOD: Look = { ...NO_LOOK, outcome: "good", isOwnFault: false };
const LOST = new Interrupted("hung");

describe("a probe whose thread ends", () => {
  it.each<[first: Look | Error, second: Look | Error, Look]>([
    [LOST, LOST, NO_LOOK],
    [LOST, FAILED, NO_LOOK],
    [FAILED, LOST, NO_LOOK],
    [LOST, GOOD, GOOD],
  ])("at attempt %#: fails only if both attempts failed", async (first, second, result) => {
    const tries = [first, second];
    const look = async (): Promise<Conclusion<"look">> => {
      const one = tries.shift();
      if (one === undefined || one instanceof Error) throw one ?? new Error("asked three times");
      return { result: { look: one, known: [] }, faults: [] };
    };
    expect(
      await lookAt(looking({ run: look as unknown as Threads["run"] }), "https://shop.example/"),
    ).toEqual(result);
    expect(tries).toEqual([]);
  });

  it("has no result when the server stops", async () => {
    const stopping = new AbortController();
    const { url } = await openSite(() => stopping.abort());
    expect(await lookAt(looking(threads, stopping.signal), url)).toEqual(NO_LOOK);
  });

  it("sends no request once its claim is over", async () => {
    let connections = 0;
    const site = await openSite((socket) => {
      connections++;
      socket.end("HTTP/1.1 204 No Content\r\n\r\n");
    });
    const calls: string[] = [];
    const asking = { endsBy: Date.now(), onAsking: () => void calls.push("asked") };
    expect(await lookAt(looking(threads), site.url, asking)).toEqual(NO_LOOK);
    expect([connections, calls]).toEqual([0, []]);
    await lookAt(looking(threads), site.url, { ...asking, endsBy: Infinity });
    expect([connections > 0, calls.length > 0]).toEqual([true, true]);
  });
});
