import { createHash } from "node:crypto";
import { listCosts } from "../../shared/report/costs.ts";
import { listOpenRoots } from "../../shared/report/obstacles.ts";
import type { ReceivedCheck, ReceivedFinding } from "../client/received.ts";
import { describeError, type CliError } from "../terminal/errors.ts";

/** The findings to report as issues: why a page could not be judged, then what costs points, most points first. */
export function listReported(check: ReceivedCheck): ReceivedFinding[] {
  return [...listOpenRoots(check), ...listCosts(check)];
}

/** The issue of a page without a check; without any issue, trackers would take the page for a good one. */
export const UNCHECKED = { id: "not-checked", title: "The page was not checked" } as const;

export function explainUnchecked(error: CliError): string {
  return `${UNCHECKED.title}: ${describeError(error)}`;
}

/** A page as the relative path of a file, which these formats ask for: `example.com/blog`. */
export function pathOf(address: string): string {
  if (!URL.canParse(address)) return encodeURIComponent(address);
  const { host, pathname } = new URL(address);
  return encodeURIComponent(host) + pathname.replace(/\/+$/, "");
}

/** The same for the same finding of the same page, in every run. */
export function fingerprintOf(address: string, { id }: { readonly id: string }): string {
  return createHash("sha256").update(`${address}\n${id}`).digest("hex").slice(0, 32);
}
