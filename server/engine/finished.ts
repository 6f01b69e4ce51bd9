import type { Verdict } from "../../shared/check.ts";
import type { Language } from "../../shared/language.ts";

/** The purpose of a check. Only `api` counts against an account's monthly quota. */
export type CheckKind = "api" | "deployment" | "cycle" | "scan";

/** The result of a check. `url` is masked, `answer` is the text that is sent, `evidence` is packed. */
export interface FinishedCheck {
  url: string;
  score: number;
  verdict: Verdict;
  ruleset: string;
  /** Null if the page's first byte never came. */
  firstByteMs: number | null;
  answer: string;
  evidence: Uint8Array;
  /** The status and points of each finding, by its id. */
  findings: Readonly<Record<string, string>>;
}

/** The result of a public scan's check. Its answers are kept with the scan. */
export interface FinishedScan extends Omit<FinishedCheck, "answer" | "findings"> {
  answers: Readonly<Record<Language, string>>;
}
