import { describe, expect, it } from "vitest";
import { CheckResult } from "../../../shared/check.ts";
import { Evidence } from "../../../server/engine/evidence/evidence.ts";
import { GiveUpCode } from "../../../server/engine/evidence/exchange.ts";
import { giveUpVisit } from "../../../server/engine/requests/visitor.ts";
import { lookOf, LOOK_RULESET, NO_LOOK } from "../../../server/engine/judge/look-outcome.ts";
import { RULESET, type Ruleset } from "../../../server/engine/judge/ruleset.ts";
import { judge, scoreEvidence, scoreOf } from "../../../server/engine/judge/score.ts";
import type { Rule } from "../../../server/engine/judge/rule.ts";
import { goodEvidence } from "./evidence-fixtures.ts";

const REASONS = {
  hung: "its analysis did not finish",
  crashed: "the program that was analyzing it crashed",
  failed: "The check failed on this page",
};

function giveUp(code: GiveUpCode): Evidence {
  const url = new URL("https://www.example.com/?q=secret");
  const addresses = ["93.184.215.14"];
  const target = { url, host: url.host, literal: false, addresses, reachable: true };
  const vetting = { ok: true as const, target: { ...target, allowed: false, dnsMs: 4 } };
  const request = { url: url.href, preview: false, headers: {} };
  return Evidence.parse(giveUpVisit({ vetting }, request, code));
}

describe.each(GiveUpCode.options)("an abandoned visit that %s", (code) => {
  it("leaves everything but the name unknown, with the reason", () => {
    const result = scoreEvidence(giveUp(code), "en");
    expect(result).toMatchObject({ verdict: "inconclusive", caps: [] });
    const known = result.findings.filter(({ status }) => status !== "unknown");
    expect(known.map(({ id, status }) => [id, status])).toEqual([["reach.dns", "pass"]]);
    for (const { evidence } of result.findings.filter(({ status }) => status === "unknown"))
      expect(evidence).toContain(REASONS[code]);
  });

  it("is assessed without an error, and makes a probe inconclusive", () => {
    const evidence = giveUp(code);
    const judged = judge(evidence);
    CheckResult.parse(scoreOf(judged, "fr"));
    expect(judged.rows.filter((row) => "error" in row)).toEqual([]);
    expect(lookOf(judge(evidence, LOOK_RULESET))).toEqual(NO_LOOK);
    expect(JSON.stringify(evidence)).not.toContain("secret");
  });
});

describe("a rule that throws", () => {
  const thrown = new Error("of the rule");
  const broken: Partial<Rule> = {
    judge() {
      throw thrown;
    },
  };

  function breakRule(id: string, rule: Partial<Rule>): Ruleset {
    const rows = RULESET.rows.map((row) =>
      row.id === id ? { ...row, rule: { ...row.rule, ...rule } } : row,
    );
    return { ...RULESET, rows };
  }

  it.each<[string, Partial<Rule>, unknown]>([
    ["while it judges", broken, thrown],
    ["while it names its parents", { parents: () => Object.assign([], { map: undefined }) }, {}],
    [
      "for a grade that its row does not have",
      { judge: () => ({ status: "partial", grade: "odd", found: { fr: "", en: "" } }) },
      new Error("hdr.csp has no grade odd"),
    ],
  ])("makes %s unknown, and leaves the others assessed", (_name, rule, error) => {
    const ruleset = breakRule("hdr.csp", rule);
    const result = scoreEvidence(goodEvidence(), "fr", ruleset);
    const row = RULESET.rows.find(({ id }) => id === "hdr.csp");
    expect(result.score).toBe(100 - (row?.points ?? 0));
    expect(result.scoreRange.max).toBe(100);
    const finding = result.findings.find(({ id }) => id === "hdr.csp");
    expect(finding).toMatchObject({
      status: "unknown",
      evidence: "Non évaluée : erreur interne de la règle sur cette page.",
    });
    const failed = judge(goodEvidence(), ruleset).rows.filter((judged) => "error" in judged);
    expect(failed).toMatchObject([{ row: { id: "hdr.csp" }, error }]);
  });

  it("makes the rules that it blocks unknown", () => {
    const { findings, verdict } = scoreEvidence(
      goodEvidence(),
      "en",
      breakRule("reach.status", broken),
    );
    expect(verdict).toBe("inconclusive");
    expect(findings.find(({ id }) => id === "hdr.csp")).toMatchObject({
      status: "unknown",
      evidence: "Not assessed: the rule itself crashed on this page.",
    });
  });
});
