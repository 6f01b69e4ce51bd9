import type { Language } from "../language.ts";
import type { Category, Finding, UncountedCheck } from "../check.ts";

/** A type of the wire whose enums accept any string, since a newer server may add values. */
export type Opened<T> = T extends string
  ? string
  : T extends object
    ? { readonly [Name in keyof T]: Opened<T[Name]> }
    : T;

/** A finding as reports show it. Results that an older version saved have no `why`, shortened ones no `fixLine`. */
export type ReportedFinding = Omit<Opened<Finding>, "fixLine" | "why"> & {
  readonly why?: string | undefined;
  readonly fixLine?: string | null | undefined;
};
export type ReportedCategory = Opened<Category>;

/** A check as reports show it, without the quota. */
export type ReportedCheck = Omit<Opened<UncountedCheck>, "findings"> & {
  readonly findings: readonly ReportedFinding[];
};

/** How a report is shown: in which languages, with which links and controls. */
export interface Reading {
  readonly language: Language;
  readonly findingsLanguage: Language;
  readonly docsUrlOf: (finding: ReportedFinding) => string | undefined;
  /** The prefix of element ids on a page with several reports. */
  readonly prefix?: string;
  /** Writes an ISO 8601 date in words. Default: in UTC. */
  readonly describeTime?: (date: string) => string;
  /** Renders the button that copies the text of the element with this id. */
  readonly renderCopy?: (id: string, name: string) => object;
}

/** The element id of a finding or of another part of the report. */
export const anchorOf = ({ prefix = "" }: Pick<Reading, "prefix">, id: string) =>
  prefix + id.replaceAll(/[^\w.-]/g, "-");
