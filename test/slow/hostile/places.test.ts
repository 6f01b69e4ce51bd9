import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startNameServer } from "../../harness/name-server.ts";
import { startHostileSite } from "../../hostile/hostile-site.ts";
import { findingsOf, visitSafely } from "../../hostile/promises.ts";
import { REDIRECTIONS } from "../../hostile/redirects.ts";
import { startVisitor, type Visitor } from "../../hostile/visitor.ts";
import { answerOf, redirectTo } from "../../hostile/writing.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const NAMES = {
  "inside.example.com": ["10.0.0.1"],
  "mixed.example.com": ["93.184.215.14", "127.0.0.1"],
};
const PAGE = '<!doctype html><title>Hello</title><script src="/a.js"></script><p>Hello.';

let visitor: Visitor;

beforeAll(async () => {
  visitor = await startVisitor();
});
afterAll(() => visitor.close());

describe("a page that redirects to", () => {
  test.each(REDIRECTIONS)("$name", async ({ location, stop }) => {
    const site = await startHostileSite((socket, { path }) => {
      const to = location === "DEEPER" ? `${path}a/` : location;
      socket.write(redirectTo(typeof to === "string" ? to.replace("PORT", `${site.port}`) : to));
    });
    const report = await visitSafely(visitor, site, { names: NAMES });
    await site.close();
    expect(report.evidence.page).toMatchObject({ stop, body: null });
    expect(findingsOf(report)).toMatchObject({ "redir.chain": "fail", "reach.status": "blocked" });
  });
});

describe("a name", () => {
  test("that changes its address at the second lookup is resolved once per check", async () => {
    const answers = [["127.0.0.1"], ["10.0.0.1"]];
    const names = await startNameServer((question) =>
      question.startsWith("A ") ? answers.shift() : [],
    );
    const site = await startHostileSite(
      (socket, { path }) =>
        socket.write(
          path === "/"
            ? redirectTo("https://www.shop.test:PORT/home".replace("PORT", `${site.port}`))
            : answerOf(PAGE),
        ),
      { hosts: ["www.shop.test"] },
    );
    const trip = { url: `https://www.shop.test:${site.port}/`, dnsServer: names.address };
    const { evidence } = await visitSafely(visitor, site, trip);
    expect(evidence.page.hops.map(({ address, status }) => [address, status])).toEqual([
      ["127.0.0.1", 302],
      ["127.0.0.1", 200],
    ]);
    expect(names.questions.filter((question) => question === "A www.shop.test")).toHaveLength(1);
    const seen = site.requests.length;
    const next = await visitSafely(visitor, site, trip);
    expect(next.evidence.dns).toMatchObject({ refusal: "private" });
    expect(site.requests).toHaveLength(seen);
    names.close();
    await site.close();
  });

  test("that is an alias of a private one, over eight others, is rejected without a request", async () => {
    const chain = Array.from({ length: 8 }, (_, index) => `CNAME c${index}.example.com`);
    const names = await startNameServer((question) =>
      question.startsWith("A ") ? [...chain, "10.0.0.1"] : chain,
    );
    const site = await startHostileSite((socket) => socket.write(answerOf(PAGE)));
    const trip = { url: "https://www.example.com/", dnsServer: names.address };
    const report = await visitSafely(visitor, site, trip);
    expect(report.evidence.dns).toMatchObject({ refusal: "private", addresses: ["10.0.0.1"] });
    expect(findingsOf(report)).toMatchObject({ "reach.dns": "fail", "reach.connect": "blocked" });
    expect(site.requests).toEqual([]);
    names.close();
    await site.close();
  });

  test("that is its own alias is not found", async () => {
    const names = await startNameServer(() => ["CNAME www.example.com"]);
    const site = await startHostileSite((socket) => socket.write(answerOf(PAGE)));
    const report = await visitSafely(visitor, site, {
      url: "https://www.example.com/",
      dnsServer: names.address,
    });
    expect(report.evidence.dns).toMatchObject({ refusal: "not_found", addresses: [] });
    names.close();
    await site.close();
  });

  test("with 5,000 addresses is tried at six, and 32 are reported", async () => {
    const site = await startHostileSite((socket) => socket.write(answerOf(PAGE)), {
      hosts: ["many.test"],
    });
    const addresses = Array.from(
      { length: 5000 },
      (_, index) => `127.1.${index >> 8}.${index & 255}`,
    );
    const url = `https://many.test:${site.port}/`;
    const { evidence } = await visitSafely(visitor, site, {
      url,
      names: { "many.test": addresses },
    });
    expect(evidence.dns.addresses).toHaveLength(32);
    expect(evidence.page).toMatchObject({
      hops: [],
      failure: { phase: "connect", code: "ECONNREFUSED" },
    });
    await site.close();
  });
});
