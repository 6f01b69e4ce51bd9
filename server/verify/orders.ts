import type { Quota } from "../../shared/quota.ts";
import type { FinishedCheck } from "../db/checks.ts";
import type { Look } from "../judge/look.ts";
import type { Language } from "../language.ts";
import type { ProbeRequest } from "../probe/probe.ts";

interface CheckOrder {
  request: ProbeRequest;
  id: string;
  language: Language;
  /** The quota that the check was counted on. */
  quota?: Quota;
}

/** What to verify: `check` for POST /check, `look` for the recurring cycle, `deployment` for a ship. */
export interface Orders {
  check: CheckOrder;
  deployment: CheckOrder;
  look: { request: ProbeRequest };
}
export type VerificationKind = keyof Orders;

/** The result of each kind of order. */
export interface Results {
  check: FinishedCheck;
  deployment: FinishedCheck;
  look: Look;
}

/** An error of our own during a check that still has its result; `rule` names the rule that threw. */
export interface Fault {
  rule: string | null;
  error: unknown;
}

/** The result of a verification, and the faults on the way to it. */
export interface Conclusion<Kind extends VerificationKind = VerificationKind> {
  result: Results[Kind];
  faults: readonly Fault[];
}
