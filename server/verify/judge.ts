import type { Language } from "../language.ts";
import type { Evidence } from "../probe/evidence.ts";
import type { ProbeRequest } from "../probe/probe.ts";
import { answerOf, type UncountedCheck } from "./answer.ts";
import { packEvidence } from "./evidence-file.ts";
import { judgeLook, type Look } from "./look.ts";

interface AnswerOrder {
  request: ProbeRequest;
  id: string;
  language: Language;
}

/** What to verify: `check` for POST /check, `look` for the recurring cycle, `deployment` for a ship. */
export interface Orders {
  check: AnswerOrder;
  deployment: AnswerOrder;
  look: { request: ProbeRequest };
}
export type VerificationKind = keyof Orders;

interface StoredAnswer {
  answer: UncountedCheck;
  /** As it is stored. */
  evidence: Uint8Array;
}

/** What each order gives. */
export interface Results {
  check: StoredAnswer;
  deployment: StoredAnswer;
  look: Look;
}

export async function judge(
  evidence: Evidence,
  order: Orders[VerificationKind],
): Promise<Results[VerificationKind]> {
  if (!("id" in order)) return judgeLook(evidence);
  const answer = answerOf(order.id, evidence, order.language);
  return {
    answer,
    evidence: await packEvidence(evidence, { ...answer, language: order.language }),
  };
}
