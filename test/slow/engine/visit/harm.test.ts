import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Check } from "../../../../shared/check.ts";
import { parseNetworks } from "../../../../server/engine/net/address.ts";
import { NO_LOOK } from "../../../../server/engine/judge/look-outcome.ts";
import { openNetwork } from "../../../../server/engine/net/network.ts";
import { createVisitor, type Visitor } from "../../../../server/engine/requests/visitor.ts";
import {
  createThreads,
  Interrupted,
  type Threads,
} from "../../../../server/engine/visit/threads.ts";
import type { Setting } from "../../../../server/engine/visit/visits.ts";
import { getAuthority, startSite, type Site } from "../../../harness/site.ts";

const allowNetworks = parseNetworks("127.0.0.0/8");
const never = new AbortController().signal;
const PAGE = {
  headers: { "content-type": "text/html" },
  body: "<!doctype html><title>A page</title><script></script>",
};
const HARMED_THREAD = fileURLToPath(new URL("../../../harness/harmed-thread.js", import.meta.url));

let site: Site;
let probe: Visitor;
let threads: Threads;
let ended: Interrupted[];
let setting: Setting;
let isHeld: () => void;
const held = new Set<string>();

beforeAll(async () => {
  const { certificate } = await getAuthority();
  const holdFirst = (url: string) => {
    if (held.has(url)) return false;
    held.add(url);
    return true;
  };
  site = await startSite({
    routes: {
      "*": ({ url = "" }, response) => {
        if (url.startsWith("/held/late")) isHeld();
        else if (url.startsWith("/held") && holdFirst(url)) isHeld();
        else response.writeHead(200, PAGE.headers).end(PAGE.body);
      },
    },
  });
  const scanNetworks = parseNetworks("");
  setting = { allowNetworks, scanNetworks, userAgent: "shipscore-test", roots: [certificate] };
  probe = createVisitor({ network: openNetwork(allowNetworks), ...setting });
  ended = [];
  threads = createThreads(setting, {
    file: HARMED_THREAD,
    size: 1,
    onEnd: (error) => ended.push(error),
  });
  await check("", "alice");
});

beforeEach(() => (ended.length = 0));

afterAll(async () => {
  await threads.close();
  await site.close();
});

async function check(path: string, owner: string, maxMs = 60_000, of = threads) {
  const url = `${site.url}${path}`;
  const { known } = await probe.vet(url, never);
  const order = {
    request: { url, preview: false, headers: {} },
    id: `chk_${path}`,
    language: "en" as const,
  };
  const task = { kind: "api", order, known } as const;
  return of.run(task, { owner, maxMs, signal: never });
}

/** Checks whose page is held back at their first visit, all of them there. */
async function beginHeld(name: string, owners: readonly string[], maxMs?: number) {
  let left = owners.length;
  const allHeld = new Promise<void>((resolve) => {
    isHeld = () => {
      left--;
      if (left === 0) resolve();
    };
  });
  const checks = owners.map((owner, index) => check(`held/${name}/${index}`, owner, maxMs));
  await allHeld;
  return checks;
}

describe("a check that ends its thread", { timeout: 120_000 }, () => {
  it.each([
    ["hang", "hung"],
    ["crash", "crashed"],
    ["reject", "crashed"],
    ["exhaust", "crashed"],
  ])("ends no other check: %s", async (harm, why) => {
    const owner = `harmer by ${harm}`;
    const beside = await beginHeld(harm, ["alice", "bob", owner]);
    const harmful = check(harm, owner);
    const isRefused = expect(harmful).rejects.toMatchObject({ why });
    const [, ...concluded] = await Promise.all([isRefused, ...beside]);
    for (const { result } of concluded) {
      const { findings } = JSON.parse(result.answer) as Check;
      expect(findings.find(({ id }) => id === "reach.status")).toMatchObject({ status: "pass" });
    }
    expect(ended.map((error) => error.why)).toEqual([why, why]);
    const { result } = await check("", "alice");
    expect(result.verdict).toEqual(expect.any(String));
  });

  it("ends no check of a crowd, in the normal time of a check", async () => {
    const names = Array.from({ length: 48 }, (_, index) => `neighbor ${index}`);
    const beside = await beginHeld("crowd", names, 17_000);
    const harmful = check("hang", "harmer of a crowd", 17_000);
    await expect(harmful).rejects.toMatchObject({ why: "hung" });
    const outcomes = await Promise.allSettled(beside);
    expect(outcomes.filter(({ status }) => status === "rejected")).toEqual([]);
  });

  it("harms nobody once its owner is known for it", async () => {
    await expect(check("hang", "mallory")).rejects.toBeInstanceOf(Interrupted);
    const harmful = [check("hang", "mallory"), check("hang", "mallory")];
    const outcomes = Promise.allSettled(harmful);
    const { result } = await check("", "alice");
    expect(result.score).toBeGreaterThan(0);
    const reasons = (await outcomes).map((one) => one.status === "rejected" && one.reason);
    expect(reasons).toEqual([expect.any(Interrupted), expect.any(Interrupted)]);
  });

  it("leaves the others without a result if the time for a second visit is over", async () => {
    const beside = await beginHeld("late", ["alice"], 5000);
    const harmful = check("hang", "someone");
    const [first] = await Promise.allSettled([...beside, harmful]);
    expect(first).toMatchObject({ status: "rejected", reason: { why: "late" } });
  });

  it("is assessed as abandoned on request", async () => {
    const url = `${site.url}hang`;
    const { known } = await probe.vet(url, never);
    const request = { url, preview: false, headers: {} };
    const order = { request, id: "chk_1", language: "fr" } as const;
    const task = { kind: "cycle", order, known, giveUp: "hung" } as const;
    const { result } = await threads.run(task, { owner: "x", maxMs: 15_000, signal: never });
    expect(result.look).toEqual(NO_LOOK);
    expect(result.check).toMatchObject({ url, verdict: "inconclusive" });
  });
});

it("a thread does not count as hung while it starts, on a machine of any speed", async () => {
  const slow = `const usedMs = () => process.cpuUsage().user / 1000;
    for (const endsAt = usedMs() + 3000; usedMs() < endsAt; );
    await import("${pathToFileURL(HARMED_THREAD).href}");`;
  const file = new URL(`data:text/javascript,${encodeURIComponent(slow)}`);
  const slowly = createThreads(setting, { file, size: 1, onEnd: (error) => ended.push(error) });
  const outcome = await check("", "alice", 60_000, slowly).then(
    ({ result }) => result.verdict,
    ({ why }: Interrupted) => why,
  );
  expect(outcome).toMatch(/ship|late/);
  expect(ended).toEqual([]);
  await slowly.close();
});

describe("an error on a page", () => {
  const findingOf = (answer: string, id: string) =>
    (JSON.parse(answer) as Check).findings.find((finding) => finding.id === id);

  it("leaves only the failed rule unknown", async () => {
    const { result, faults } = await check("throw", "alice");
    const well = JSON.parse((await check("", "alice")).result.answer) as Check;
    expect(faults).toEqual([{ rule: "html.title", error: new Error("thrown by the rule") }]);
    expect(findingOf(result.answer, "html.title")).toMatchObject({
      status: "unknown",
      earned: 0,
      evidence: "Not assessed: the rule itself crashed on this page.",
    });
    const others = ({ findings }: Check) =>
      findings.filter(({ id }) => id !== "html.title").map(({ id, status }) => [id, status]);
    expect(others(JSON.parse(result.answer) as Check)).toEqual(others(well));
  });

  it("gives a result that says so if no rule failed", async () => {
    const { result, faults } = await check("garble", "alice");
    expect(faults).toEqual([{ rule: null, error: expect.any(TypeError) }]);
    expect(result).toMatchObject({ verdict: "inconclusive" });
    expect(findingOf(result.answer, "hdr.csp")?.evidence).toContain(
      "The check failed on this page",
    );
  });
});
