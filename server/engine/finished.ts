import type { PreviousFiles } from "../../shared/last-ship.ts";
import type { Verdict } from "../../shared/check.ts";
import type { Language } from "../../shared/language.ts";

/** Only `api` counts against an account's monthly quota. */
export type CheckKind = "api" | "deployment" | "cycle" | "scan";

/** `url` is masked, `answer` is the response text, and `evidence` is packed. */
export interface FinishedCheck {
  url: string;
  score: number;
  verdict: Verdict;
  ruleset: string;
  /** Null if the first byte of the page did not arrive. */
  firstByteMs: number | null;
  answer: string;
  evidence: Uint8Array;
  /** The status and points of each finding, by its id. */
  findings: Readonly<Record<string, string>>;
  previousFiles: PreviousFiles | null;
}

export interface FinishedScan extends Omit<FinishedCheck, "answer" | "findings" | "previousFiles"> {
  answers: Readonly<Record<Language, string>>;
}
