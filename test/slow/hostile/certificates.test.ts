import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { getAuthority } from "../../harness/site.ts";
import { type Papers, startHostileSite } from "../../hostile/hostile-site.ts";
import { findingsOf, visitSafely } from "../../hostile/promises.ts";
import { startVisitor, type Visitor } from "../../hostile/visitor.ts";
import { answerOf } from "../../hostile/writing.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const MAX_SENT = 10;

let visitor: Visitor;

beforeAll(async () => {
  visitor = await startVisitor();
});
afterAll(() => visitor.close());

async function visitWith(papers: Papers) {
  const site = await startHostileSite((socket) => socket.write(answerOf("<p>Hello.")), papers);
  const report = await visitSafely(visitor, site);
  await site.close();
  return {
    tls: report.evidence.page.tls,
    page: report.evidence.page,
    findings: findingsOf(report),
  };
}

/** Certificates of other hosts, which have no place in the chain. */
async function issueOthers(count: number): Promise<string> {
  const authority = await getAuthority();
  const others = Array.from({ length: count }, (_, index) =>
    authority.issue({ hosts: [`${index}.test`] }),
  );
  return (await Promise.all(others)).map(({ cert }) => cert).join("");
}

const names = (count: number, name: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => name(index));

describe("a certificate", () => {
  test("with 2,000 names, the host's the last of them, is valid for the host", async () => {
    const hosts = [...names(2000, (index) => `host-${index}.example.com`), "127.0.0.1"];
    const { tls, findings } = await visitWith({ hosts });
    expect(findings).toMatchObject({ "tls.chain": "pass", "tls.hostname": "pass" });
    expect(tls?.certificate.sans.slice(0, 1)).toEqual(["dns:host-0.example.com"]);
    expect(tls?.certificate.sans.at(-1)).toBe("ip:127.0.0.1");
    expect(tls?.certificate.sans.length).toBeLessThan(60);
  });

  test.each([
    ["the host's name before a null byte", ["127.0.0.1\0.example.com"]],
    ["stars", names(300, (index) => `${"*.".repeat(100)}${index}.com`)],
    ["stars in the middle", ["127.*.0.1", "127.0.0.*", "*"]],
    ["dots", ["..", ".", "", "127.0.0.1."]],
    ["names of 10,000 characters", ["a".repeat(10_000), `${"a.".repeat(5000)}com`]],
    ["nothing", []],
  ])("with %s is another host's", async (_name, hosts) => {
    const { findings } = await visitWith({ hosts });
    expect(findings).toMatchObject({ "tls.hostname": "fail" });
  });

  test("has one short line about its names, without control characters", async () => {
    const commonName = `a\u202e\u0000\u001b[31m\n${"é".repeat(20_000)}`;
    const { tls } = await visitWith({ hosts: ["127.0.0.1"], commonName });
    const subject = tls?.certificate.subject ?? "";
    expect(subject.length).toBeGreaterThan(100);
    expect(subject.length).toBeLessThanOrEqual(160);
    expect(subject).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
  });
});

describe("a chain", () => {
  test("of 100 certificates is read, and counted up to ten", async () => {
    const { tls, findings } = await visitWith({ after: await issueOthers(99) });
    expect(findings).toMatchObject({ "reach.connect": "pass", "tls.chain": "pass" });
    expect(tls?.chainLength).toBeLessThanOrEqual(MAX_SENT);
  });

  test("over 100 KB is rejected, and the site down", async () => {
    const { page, findings } = await visitWith({ after: await issueOthers(400) });
    expect(page).toMatchObject({ hops: [], tls: null, failure: { phase: "tls" } });
    expect(page.failure?.code).toMatch(/EXCESSIVE_MESSAGE_SIZE/);
    expect(findings).toMatchObject({ "reach.connect": "fail" });
  });
});
