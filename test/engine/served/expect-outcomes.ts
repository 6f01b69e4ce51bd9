import { expect } from "vitest";
import type { Finding } from "../../../shared/check.ts";
import type { Evidence } from "../../../server/engine/evidence/evidence.ts";
import { RULESET, type RuledRow } from "../../../server/engine/judge/ruleset.ts";
import { judge, scoreOf } from "../../../server/engine/judge/score.ts";
import { listFaults } from "../judge/finding-faults.ts";
import { all, type Outcomes } from "./served-case.ts";

/** What the good site gets. */
const GOOD: Outcomes = all("pass", "");

/** Expects every finding to be the good site's but for `differs`, and the caps and the score that follow from them. */
export function expectOutcomes(evidence: Evidence, differs: Outcomes): void {
  const expected: Outcomes = { ...GOOD, ...differs };
  const judged = judge(evidence);
  const outcomes = judged.rows.map(({ row: { id }, judgement: { status, grade } }) => [
    id,
    status === "partial" ? `${status} ${grade}` : status,
  ]);
  expect(Object.fromEntries(outcomes)).toEqual(expected);

  const { caps, findings, score, scoreRange } = scoreOf(judged, "en");
  const limits = RULESET.rows.flatMap(({ id, cap }) =>
    cap !== null && expected[id] === "fail" ? [{ findingId: id, limit: cap }] : [],
  );
  const limit = Math.min(100, ...limits.map((cap) => cap.limit));
  const earned = findings.reduce((sum, finding) => sum + finding.earned, 0);
  expect(caps.map(({ findingId, limit: at }) => ({ findingId, limit: at }))).toEqual(
    limits.toSorted((one, other) => one.limit - other.limit),
  );
  const { findings: french } = scoreOf(judged, "fr");
  const faults: string[] = [];
  for (const [index, finding] of findings.entries()) {
    const { id, partial } = RULESET.rows[index] as RuledRow;
    const grade = /^partial (.+)/.exec(expected[id] ?? "")?.[1];
    if (grade !== undefined) expect(finding.earned, id).toBe(partial[grade]);
    faults.push(...listFaults(evidence, finding, french[index] as Finding));
  }
  expect(faults).toEqual([]);
  expect(score).toBe(Math.floor(Math.min(earned, limit)));
  expect(scoreRange.max).toBeLessThanOrEqual(limit);
}
