import type { Quota } from "../../shared/quota.ts";
import type { FinishedCheck } from "../db/checks.ts";
import type { Look } from "../judge/look.ts";
import type { Language } from "../language.ts";
import type { ProbeRequest } from "../probe/probe.ts";

interface CheckOrder {
  request: ProbeRequest;
  id: string;
  language: Language;
  /** What the check was counted on. */
  quota?: Quota;
}

/** What to verify: `check` for POST /check, `look` for the recurring cycle, `deployment` for a ship. */
export interface Orders {
  check: CheckOrder;
  deployment: CheckOrder;
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

/** What a verification came to: its result, and what failed on the way to it. */
export interface Conclusion<Kind extends VerificationKind = VerificationKind> {
  result: Results[Kind];
  faults: readonly Fault[];
}
