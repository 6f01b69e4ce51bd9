import type { Quota } from "../../shared/quota.ts";
import type { FinishedCheck } from "../db/checks.ts";
import type { Language } from "../language.ts";
import type { Evidence } from "../probe/evidence.ts";
import type { ProbeRequest } from "../probe/probe.ts";
import { answerOf } from "./answer.ts";
import { packEvidence } from "./evidence-file.ts";
import { judgeLook, type Look } from "./look.ts";

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

export async function judge(
  evidence: Evidence,
  order: Orders[VerificationKind],
): Promise<Results[VerificationKind]> {
  if (!("id" in order)) return judgeLook(evidence);
  const { id, language, quota } = order;
  const answer = answerOf(id, evidence, language, quota);
  const { score, verdict, ruleset } = answer;
  return {
    score,
    verdict,
    ruleset,
    answer: JSON.stringify(answer),
    evidence: await packEvidence(evidence, { ruleset, language }),
  };
}
