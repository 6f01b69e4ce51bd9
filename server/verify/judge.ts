import type { Quota } from "../../shared/quota.ts";
import type { FinishedCheck } from "../db/checks.ts";
import type { Language } from "../language.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { ProbeRequest } from "../probe/probe.ts";
import { answerOf } from "../judge/answer.ts";
import { packEvidence } from "../evidence/file.ts";
import { judgeLook, type Look } from "../judge/look.ts";
import { RULESET } from "../judge/ruleset.ts";
import { judgeRows, scoreEvidence } from "../judge/score.ts";

interface AnswerOrder {
  request: ProbeRequest;
  id: string;
  language: Language;
  /** What the check was counted on. */
  quota?: Quota;
}

/** What to verify: `check` for POST /check, `look` for the recurring cycle, `deployment` for a ship. */
export interface Orders {
  check: AnswerOrder;
  deployment: AnswerOrder;
  look: { request: ProbeRequest };
}
export type VerificationKind = keyof Orders;

/** What each order gives. */
export interface Results {
  check: FinishedCheck;
  deployment: FinishedCheck;
  look: Look;
}

/** Something of ours that failed on a page, which has its result all the same; `rule` names the rule that threw. */
export interface Fault {
  rule: string | null;
  error: unknown;
}

/** A result, and what failed on the way to it. */
export interface Judged<Kind extends VerificationKind = VerificationKind> {
  result: Results[Kind];
  faults: readonly Fault[];
}

export async function judge(evidence: Evidence, order: Orders[VerificationKind]): Promise<Judged> {
  const judged = judgeRows(evidence);
  const faults = judged.flatMap(({ row, error }) =>
    error === undefined ? [] : [{ rule: row.id, error }],
  );
  if (!("id" in order)) return { result: judgeLook(evidence, judged), faults };
  const { id, language, quota } = order;
  const scored = scoreEvidence(evidence, language, RULESET, judged);
  const answer = answerOf(id, evidence, scored, quota);
  const { score, verdict, ruleset } = answer;
  const result = {
    score,
    verdict,
    ruleset,
    answer: JSON.stringify(answer),
    evidence: await packEvidence(evidence, { ruleset, language }),
  };
  return { result, faults };
}
