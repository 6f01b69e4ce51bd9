import type { Language } from "../language.ts";
import type { Category, Finding, UncountedCheck } from "../check.ts";

/** A value of the wire with any word in place of those of a closed list: a newer server may have more of them. */
export type Opened<T> = T extends string
  ? string
  : T extends object
    ? { readonly [Name in keyof T]: Opened<T[Name]> }
    : T;

/** A finding as a report shows it; one of a result that was shortened has no `fixLine`. */
export type ReportedFinding = Omit<Opened<Finding>, "fixLine"> & {
  readonly fixLine?: string | null | undefined;
};
export type ReportedCategory = Opened<Category>;

/** A check as a report shows it; the quota is its caller's business. */
export type ReportedCheck = Omit<Opened<UncountedCheck>, "findings"> & {
  readonly findings: readonly ReportedFinding[];
};

/** How a report is shown: the language of its own words, that of the findings, and where a rule is documented. */
export interface Reading {
  readonly language: Language;
  readonly findingsLanguage: Language;
  readonly docsUrlOf: (finding: ReportedFinding) => string | undefined;
  /** What the ids of the report's elements begin with, where a page has several reports. */
  readonly prefix?: string;
  /** An ISO 8601 date in words; in UTC by default. */
  readonly describeTime?: (date: string) => string;
  /** The element of a button that copies the text of the element with this id, where a script runs. */
  readonly renderCopy?: (id: string, name: string) => object;
}

/** The id of a finding's element on a page, or of another part of the report. */
export const anchorOf = ({ prefix = "" }: Pick<Reading, "prefix">, id: string) =>
  prefix + id.replaceAll(/[^\w.-]/g, "-");
