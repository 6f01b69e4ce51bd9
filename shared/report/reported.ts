import type { Language } from "../language.ts";
import type { Category, Finding, UncountedCheck } from "../check.ts";

/** A newer server may add values, so enums accept any string. */
export type Opened<T> = T extends string
  ? string
  : T extends object
    ? { readonly [Name in keyof T]: Opened<T[Name]> }
    : T;

/** Results that an older version saved have no `why`, shortened ones no `fixLine`. */
export type ReportedFinding = Omit<Opened<Finding>, "fixLine" | "why"> & {
  readonly why?: string | undefined;
  readonly fixLine?: string | null | undefined;
};
export type ReportedCategory = Opened<Category>;

export type ReportedCheck = Omit<Opened<UncountedCheck>, "findings"> & {
  readonly findings: readonly ReportedFinding[];
};

export interface Reading {
  readonly language: Language;
  readonly findingsLanguage: Language;
  readonly docsUrlOf: (finding: ReportedFinding) => string | undefined;
  /** For element ids on a page with several reports. */
  readonly prefix?: string;
  /** Writes an ISO 8601 date for the reader. By default, the time is in UTC. */
  readonly describeTime?: (date: string) => string;
  /** A button that copies the text of the element with this id. */
  readonly renderCopy?: (id: string, name: string) => object;
}

export const anchorOf = ({ prefix = "" }: Pick<Reading, "prefix">, id: string) =>
  prefix + id.replaceAll(/[^\w.-]/g, "-");
