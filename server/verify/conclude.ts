import type { CheckResult } from "../../shared/check.ts";
import type { Quota } from "../../shared/quota.ts";
import type { FinishedCheck } from "../db/checks.ts";
import { packEvidence } from "../evidence/evidence-file.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { findAnswer } from "../evidence/page.ts";
import { judgeVerifiedLook } from "../judge/look.ts";
import { RULESET } from "../judge/ruleset.ts";
import { type JudgedRow, judgeRows, scoreEvidence } from "../judge/score.ts";
import type { Language } from "../language.ts";
import { composeCheck } from "./check-body.ts";
import type { Conclusion, Fault, Orders, Verification, VerificationKind } from "./orders.ts";

/** The rules that threw. */
export function faultsOf(judged: readonly JudgedRow[]): Fault[] {
  return judged.flatMap(({ row, error }) => (error === undefined ? [] : [{ rule: row.id, error }]));
}

/**
 * Judges what a visit saw and returns what was ordered: the outcome of a look, or a check as it is stored and
 * answered.
 */
export async function concludeVisit(
  evidence: Evidence,
  order: Orders[VerificationKind],
): Promise<Conclusion> {
  const judged = judgeRows(evidence);
  const faults = faultsOf(judged);
  const { id } = order;
  const write = (language: Language, quota?: Quota) =>
    composeCheck(id, evidence, scoreEvidence(evidence, language, RULESET, judged), quota);
  if ("language" in order) {
    const check = write(order.language, order.quota);
    const kept = await keep(evidence, check, order.language);
    const findings = Object.fromEntries(
      check.findings.map(({ id: finding, status, earned }) => [finding, `${status} ${earned}`]),
    );
    const finished = { ...kept, answer: JSON.stringify(check), findings };
    if (!("isLook" in order)) return { result: finished, faults };
    const verification: Verification = {
      look: judgeVerifiedLook(evidence, judged),
      check: finished,
      status: findAnswer(evidence)?.status ?? null,
      isGivenUp: evidence.page.failure?.phase === "check",
    };
    return { result: verification, faults };
  }
  const [fr, en] = [write("fr"), write("en")];
  const answers = { fr: JSON.stringify(fr), en: JSON.stringify(en) };
  return { result: { ...(await keep(evidence, fr, "fr")), answers }, faults };
}

async function keep(
  evidence: Evidence,
  { score, verdict, ruleset }: Pick<CheckResult, "score" | "verdict" | "ruleset">,
  language: Language,
): Promise<Omit<FinishedCheck, "answer" | "findings">> {
  const packed = await packEvidence(evidence, { ruleset, language });
  const { firstByteMs } = evidence.page.timings;
  return {
    url: evidence.url,
    score,
    verdict,
    ruleset,
    firstByteMs: firstByteMs === null ? null : Math.round(firstByteMs),
    evidence: packed,
  };
}
