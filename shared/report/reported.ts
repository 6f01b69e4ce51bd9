import type { Cap, Check, Finding } from "../check.ts";

/** The languages of a report's own words. */
export type ReportLanguage = "fr" | "en";

/** The same words in each language. */
export type Words = Readonly<Record<ReportLanguage, string>>;

/**
 * A finding as a report shows it. Words of closed lists may be newer than the program that shows them; a finding of before
 * `fixLine` has none.
 */
export type ReportedFinding = Omit<Finding, "category" | "status" | "fixLine"> & {
  category: string;
  status: string;
  fixLine?: string | null | undefined;
};

export interface ReportedCategory {
  id: string;
  earned: number;
  points: number;
}

/** A check as a report shows it; the quota is its caller's business. */
export type ReportedCheck = Pick<
  Check,
  | "id"
  | "url"
  | "finalUrl"
  | "preview"
  | "score"
  | "scoreRange"
  | "coverage"
  | "ruleset"
  | "timings"
  | "checkedAt"
  | "durationMs"
> & {
  verdict: string;
  caps: readonly Cap[];
  categories: readonly ReportedCategory[];
  findings: readonly ReportedFinding[];
};

/** How a report is shown: the language of its own words, that of the findings, and where a rule is documented. */
export interface Reading {
  readonly language: ReportLanguage;
  readonly findingsLanguage: ReportLanguage;
  readonly docsUrlOf: (finding: ReportedFinding) => string;
}
