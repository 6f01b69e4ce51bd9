import { describe, expect, test } from "vitest";
import type { CheckResult } from "../../../shared/check.ts";
import { compareResults } from "../../../server/engine/judge/changes.ts";
import { RULESET } from "../../../server/engine/judge/ruleset.ts";
import { scoreEvidence } from "../../../server/engine/judge/score.ts";
import { evidenceWith, setHeader } from "./evidence-fixtures.ts";
import { OLDER } from "./older-ruleset.ts";

/** A page without HSTS: hdr.hsts fails and caps the score at 79. */
const result = () =>
  scoreEvidence(
    evidenceWith((evidence) => setHeader(evidence, "strict-transport-security")),
    "en",
  );
const findingOf = ({ findings }: CheckResult, id: string) => {
  const finding = findings.find((one) => one.id === id);
  if (!finding) throw new Error(`no finding ${id}`);
  return finding;
};

describe("the changes between two results of one evidence", () => {
  test("are empty if the results are equal", () => {
    expect(compareResults(result(), result(), "en")).toMatchObject({ findings: [], caps: [] });
  });

  test.each<[what: string, edit: (after: CheckResult) => void, moved: object[]]>([
    [
      "a rule's worth",
      (after) => Object.assign(findingOf(after, "hdr.csp"), { points: 8, earned: 8 }),
      [{ id: "hdr.csp", why: "worth 8 points instead of 7" }],
    ],
    [
      "a judgement",
      (after) => Object.assign(findingOf(after, "hdr.csp"), { status: "partial", earned: 6 }),
      [{ id: "hdr.csp", why: "assessed partial instead of pass" }],
    ],
    [
      "a grade's worth",
      (after) => Object.assign(findingOf(after, "hdr.csp"), { earned: 3 }),
      [{ id: "hdr.csp", why: "what was found earns 3 points instead of 7" }],
    ],
    [
      "a rule that is new",
      (after) => after.findings.push({ ...findingOf(after, "hdr.csp"), id: "hdr.new" }),
      [{ id: "hdr.new", from: null, why: "not in ruleset 2026.2" }],
    ],
    [
      "a rule that is gone",
      (after) => after.findings.shift(),
      [{ id: "reach.dns", to: null, why: "not in ruleset 2026.2" }],
    ],
  ])("%s", (_what, edit, moved) => {
    const after = result();
    edit(after);
    expect(compareResults(result(), after, "en").findings).toEqual(
      moved.map((one) => expect.objectContaining(one) as object),
    );
  });

  test("include a lowered and a lifted cap", () => {
    const [lowered, lifted] = [result(), result()];
    for (const cap of lowered.caps) cap.limit = 59;
    lifted.caps = [];
    expect(compareResults(result(), lowered, "en").caps).toEqual([
      { findingId: "hdr.hsts", from: 79, to: 59 },
    ]);
    expect(compareResults(result(), lifted, "en").caps).toEqual([
      { findingId: "hdr.hsts", from: 79, to: null },
    ]);
  });
});

test("include a missing icon, which costs less than under the older ruleset", () => {
  const evidence = evidenceWith(({ assets }) => {
    for (const asset of assets.slice(1)) Object.assign(asset, { status: 404, kind: "icon" });
  });
  const [before, after] = [OLDER, RULESET].map((ruleset) => scoreEvidence(evidence, "en", ruleset));
  if (!before || !after) throw new Error("there are two rulesets");
  const { from, to, findings, caps } = compareResults(before, after, "en");
  expect([from, to, caps]).toEqual([
    { ruleset: "2025.1", score: 40, verdict: "do_not_ship" },
    { ruleset: RULESET.version, score: 99, verdict: "ship" },
    [],
  ]);
  expect(findings.slice(0, 2)).toEqual([
    {
      id: "reach.dns",
      from: { status: "pass", earned: 40, points: 40 },
      to: { status: "pass", earned: 1, points: 1 },
      why: "worth 1 point instead of 40",
    },
    {
      id: "asset.broken",
      from: { status: "fail", earned: 0, points: 60 },
      to: { status: "partial", earned: 2, points: 2.5 },
      why: "assessed partial instead of fail, worth 2.5 points instead of 60",
    },
  ]);
  const added = findings.slice(2).map(({ why }) => why);
  expect(added).toEqual(after.findings.slice(2).map(() => `not in ruleset ${before.ruleset}`));
});
