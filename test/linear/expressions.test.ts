import { describe, expect, it } from "vitest";
import { findSlowText } from "./attack.ts";
import { readBuilt, readSource } from "./source.ts";

const findings = readSource();
const expressions = [...findings.expressions, ...(await readBuilt(findings))];

it("finds the expressions of the probe and of the rules by reading them", () => {
  const files = expressions.map(({ file }) => file);
  expect(expressions.length).toBeGreaterThan(150);
  for (const file of [
    "probe/credentials.ts",
    "probe/redact.ts",
    "verify/rules/caching.ts",
    "verify/rulesets/2026.1/rules/hsts.ts",
  ])
    expect(files).toContain(file);
});

it("what a site sent is parsed as a URL in one place", () => {
  /** Those of the frozen rules read evidence, whose addresses are short. */
  const living = findings.calls.filter((call) => !call.startsWith("verify/rulesets/"));
  expect(living.filter((call) => call.endsWith(": URL"))).toEqual([
    "probe/answer.ts: URL",
    "probe/certificate.ts: URL",
    "probe/nat64.ts: URL",
    "probe/syntax.ts: URL",
    "probe/url.ts: URL",
    "probe/variants.ts: URL",
    "verify/page.ts: URL",
    "verify/script-bypasses.ts: URL",
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
  ])("/%s/%s, which is slow, shows it", async (source, flags) => {
    expect(await findSlowText({ source, flags, file: "" })).toBeDefined();
  });
});

describe("no attack makes slow", { timeout: 300_000 }, () => {
  it.concurrent.each(expressions.map((each) => ({ ...each, name: each.source.slice(0, 80) })))(
    "$file: /$name/",
    async (expression) => {
      expect(await findSlowText(expression)).toBeUndefined();
    },
  );
});
