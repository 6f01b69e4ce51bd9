import type { Verdict } from "../../shared/check.ts";
import type { Language } from "../../shared/language.ts";

/** What a check was made for. Only `api` takes a slot of an account's month. */
export type CheckKind = "api" | "deployment" | "cycle" | "scan";

/** The result of a check: `url` is masked, `answer` is the text that is sent, `evidence` is packed. */
export interface FinishedCheck {
  url: string;
  score: number;
  verdict: Verdict;
  ruleset: string;
  /** Null if the page's first byte never came. */
  firstByteMs: number | null;
  answer: string;
  evidence: Uint8Array;
  /** How each finding ended and what it earned, by its id. */
  findings: Readonly<Record<string, string>>;
}

/** The result of a scan's check, whose answers are kept with the scan. */
export interface FinishedScan extends Omit<FinishedCheck, "answer" | "findings"> {
  answers: Readonly<Record<Language, string>>;
}
