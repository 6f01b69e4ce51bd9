import type { Quota } from "../../shared/quota.ts";
import type { CheckKind, FinishedCheck, FinishedScan } from "../db/checks.ts";
import type { Look } from "../judge/look.ts";
import type { Language } from "../language.ts";
import type { KnownNames } from "../net/guard.ts";
import type { Probe, ProbeRequest } from "../probe/probe.ts";

interface CheckOrder {
  request: ProbeRequest;
  id: string;
  language: Language;
  /** The quota that the check was counted on. */
  quota?: Quota;
}

/** How far a verification has come. */
export type Step = "vetting" | "visiting" | "judging";

/** What verifications are made for. */
export type VerificationKind = CheckKind;

/** What to verify, by kind. */
export interface Orders {
  api: CheckOrder;
  /** These two are also judged as looks. */
  deployment: CheckOrder & { isLook: true };
  cycle: CheckOrder & { isLook: true };
  /** Judged in each language. */
  scan: Pick<CheckOrder, "request" | "id">;
}

/** What a verification of a watched URL or a deployment came to: whether the URL is up, and the check of its page. */
export interface Verification {
  look: Look;
  check: FinishedCheck;
  /** Of the page's answer, if there was one. */
  status: number | null;
  /** Whether the visit was given up for what it did to the server. */
  isGivenUp: boolean;
}

/** The result of each kind of order. */
export interface Results {
  api: FinishedCheck;
  deployment: Verification;
  cycle: Verification;
  scan: FinishedScan;
}

/** An error of our own during a check that still has its result; `rule` names the rule that threw. */
export interface Fault {
  rule: string | null;
  error: unknown;
}

/** A look's single try, and what names resolved to during it. */
export interface LookTry {
  look: Look;
  known: KnownNames;
  faults: readonly Fault[];
}

/** The result of a verification, and the faults on the way to it. */
export interface Conclusion<Kind extends VerificationKind = VerificationKind> {
  result: Results[Kind];
  faults: readonly Fault[];
}

/** What an owner says about public scans of an origin. */
export type OwnerAnswer = Awaited<ReturnType<Probe["askOwner"]>>;
