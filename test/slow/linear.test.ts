import { describe, expect, it } from "vitest";
import { findSlowText } from "../linear/attack.ts";
import { keyOf, readAttacks } from "../linear/kept-attacks.ts";
import { searchAttack, SEARCHER } from "../linear/search.ts";
import { readExpressions, readSource } from "../linear/source.ts";

const findings = readSource();
const expressions = await readExpressions(findings);
const kept = readAttacks();

it("finds the expressions of the probe and of the rules by reading them", () => {
  const files = expressions.map(({ file }) => file);
  expect(expressions.length).toBeGreaterThan(150);
  for (const file of [
    "engine/requests/privacy/credentials.ts",
    "engine/requests/privacy/redact.ts",
    "engine/judge/rules/perf-cache.ts",
    "engine/judge/rules/hdr-hsts.ts",
  ])
    expect(files).toContain(file);
});

it("what a site sent is parsed as a URL in one place", () => {
  expect(findings.calls.filter((call) => call.endsWith(": URL"))).toEqual([
    "base/syntax/host-pattern.ts: URL",
    "base/syntax/url.ts: URL",
    "engine/evidence/page.ts: URL",
    "engine/judge/facts/blocked-parts.ts: URL",
    "engine/judge/facts/script-bypasses.ts: URL",
    "engine/net/certificate.ts: URL",
    "engine/net/nat64.ts: URL",
    "engine/net/site.ts: URL",
    "engine/requests/answer.ts: URL",
    "engine/requests/owner-robots.ts: URL",
    "engine/requests/variants.ts: URL",
  ]);
});

describe("an attack on", { timeout: 120_000 }, () => {
  it.each([
    ["(?:a+)+$", ""],
    [
      "[.\\-_](?=[\\w-]*[a-z])(?=[\\w-]*[A-Z])(?=[\\w-]*[a-zA-Z][\\w-]*\\d[\\w-]*[a-zA-Z])[\\w-]{8}\\.",
      "",
    ],
    ["x.*y", "g"],
    ["\\s*=\\s*", "g"],
    ['^\\s*charset=\\s*"?([^"]*?)"?\\s*$', "i"],
  ])("/%s/%s, which is slow, is found and shows it", async (source, flags) => {
    const expression = { source, flags, file: "" };
    const attack = await searchAttack(expression);
    expect(findSlowText(expression, attack ? [attack] : [])).toBeDefined();
  });
});

describe("the attacks that `npx tsx tools/test/attacks.ts` keeps", () => {
  it("were looked for as they are now", () => {
    expect(kept.searcher).toEqual(SEARCHER);
  });

  it.each(expressions.map((each) => ({ ...each, name: each.source.slice(0, 80) })))(
    "do not make slow $file: /$name/",
    { timeout: 60_000 },
    (expression) => {
      const attacks = kept.attacks[keyOf(expression)];
      if (!attacks) throw new Error("no attack was looked for: npx tsx tools/test/attacks.ts");
      expect(findSlowText(expression, attacks)).toBeUndefined();
    },
  );
});
