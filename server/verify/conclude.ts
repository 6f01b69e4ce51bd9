import { packEvidence } from "../evidence/evidence-file.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { judgeLook } from "../judge/look.ts";
import { RULESET } from "../judge/ruleset.ts";
import { judgeRows, scoreEvidence } from "../judge/score.ts";
import { composeCheck } from "./check-body.ts";
import type { Conclusion, Orders, VerificationKind } from "./orders.ts";

/**
 * Judges what a visit saw and returns what was ordered: the outcome of a look, or a check as it is stored and
 * answered.
 */
export async function concludeVisit(
  evidence: Evidence,
  order: Orders[VerificationKind],
): Promise<Conclusion> {
  const judged = judgeRows(evidence);
  const faults = judged.flatMap(({ row, error }) =>
    error === undefined ? [] : [{ rule: row.id, error }],
  );
  if (!("id" in order)) return { result: judgeLook(evidence, judged), faults };
  const { id, language, quota } = order;
  const scored = scoreEvidence(evidence, language, RULESET, judged);
  const check = composeCheck(id, evidence, scored, quota);
  const { score, verdict, ruleset } = check;
  const result = {
    score,
    verdict,
    ruleset,
    answer: JSON.stringify(check),
    evidence: await packEvidence(evidence, { ruleset, language }),
  };
  return { result, faults };
}
