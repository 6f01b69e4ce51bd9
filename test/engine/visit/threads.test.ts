import { brotliDecompressSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parseNetworks } from "../../../server/engine/net/address.ts";
import type { Check } from "../../../shared/check.ts";
import { Evidence } from "../../../server/engine/evidence/evidence.ts";
import { openNetwork } from "../../../server/engine/net/network.ts";
import { createVisitor, type Visitor } from "../../../server/engine/requests/visitor.ts";
import { createThreads, type Threads } from "../../../server/engine/visit/threads.ts";
import { measureLongestBlock } from "../../harness/blocks.ts";
import { getAuthority, startSite, type Site } from "../../harness/site.ts";

const BOUND_MS = 20;
const allowNetworks = parseNetworks("127.0.0.0/8");
const never = new AbortController().signal;
const HOSTS = Array.from({ length: 500 }, (_, index) => `h${index}.example`).join(" ");

let site: Site;
let probe: Visitor;
let threads: Threads;
let holdPage: (() => void) | undefined;

beforeAll(async () => {
  const { certificate } = await getAuthority();
  site = await startSite({
    hosts: ["127.0.0.1", "shop.example"],
    routes: {
      "/": { headers: { "content-type": "text/html" }, body: "<!doctype html><title>a</title>" },
      "/hostile": {
        headers: { "content-type": "text/html", "content-security-policy": `script-src ${HOSTS}` },
        body: "<a href=//h.x>".repeat(100_000),
      },
      "/held": () => holdPage?.(),
      "/robots.txt": { body: `User-agent: *\n${"Disallow: /*é*b\n".repeat(30_000)}` },
    },
  });
  const scanNetworks = parseNetworks("");
  const setting = {
    allowNetworks,
    scanNetworks,
    userAgent: "shipscore-test",
    roots: [certificate],
  };
  threads = createThreads(setting);
  const resolver = {
    resolve: async () => ({ outcome: "found" as const, addresses: ["127.0.0.1"] }),
  };
  const network = { ...openNetwork(allowNetworks), resolver };
  probe = createVisitor({ network, ...setting });
});

afterAll(async () => {
  await threads.close();
  await site.close();
});

async function check(url: string, signal = never) {
  const { known } = await probe.vet(url, never);
  const request = { url, preview: false, headers: {} };
  const order = { request, id: "chk_1", language: "en" as const };
  const task = { kind: "api", order, known } as const;
  return (await threads.run(task, { owner: "acc_1", maxMs: 15_000, signal })).result;
}

describe("a check in a thread", () => {
  it("ends with its signal, for the given reason", async () => {
    await expect(check(site.url, AbortSignal.abort("stopped"))).rejects.toBe("stopped");
    const held = new Promise<void>((resolve) => (holdPage = resolve));
    const stop = new AbortController();
    const checking = check(`${site.url}held`, stop.signal);
    await held;
    stop.abort("stopped");
    await expect(checking).rejects.toBe("stopped");
  });

  it("fails when its thread ends, and the next uses another", async () => {
    const held = new Promise<void>((resolve) => (holdPage = resolve));
    const checking = check(`${site.url}held`);
    await Promise.all([
      expect(checking).rejects.toThrow("the thread of the check was ended"),
      held.then(() => threads.close()),
    ]);
    expect((await check(site.url)).verdict).toEqual(expect.any(String));
  });

  it("returns the answer, and the evidence as it is stored", async () => {
    const { answer, evidence } = await check(site.url);
    expect(JSON.parse(answer)).toMatchObject({ id: "chk_1", url: site.url });
    const stored = Evidence.parse(JSON.parse(brotliDecompressSync(evidence).toString()));
    expect(stored.page.hops[0]).toMatchObject({ status: 200, address: "127.0.0.1" });
  });

  it("connects to the vetted addresses, without another query", async () => {
    const checked = await check(`https://shop.example:${site.port}/`);
    const answer = JSON.parse(checked.answer) as Check;
    const found = answer.findings.find(({ id }) => id === "reach.status");
    expect(found).toMatchObject({ status: "pass" });
  });

  it("keeps this thread free, whatever the site sends", async () => {
    const longestMs = await measureLongestBlock(() => check(`${site.url}hostile`), BOUND_MS);
    expect(longestMs).toBeLessThanOrEqual(BOUND_MS);
  });
});
