import { createHash } from "node:crypto";
import type { CheckAnswer, FindingAnswer } from "../client/answers.ts";
import type { Checked } from "./checked.ts";
import { describeError, type CliError } from "../terminal/errors.ts";
import { isUnjudged, listOpenRoots } from "./obstacles.ts";

export function costOf({ earned, points }: FindingAnswer): number {
  return points - earned;
}

/** The findings that were judged and cost points, largest loss first. */
export function listCosts({ findings }: CheckAnswer): FindingAnswer[] {
  return findings
    .filter((finding) => costOf(finding) > 0 && !isUnjudged(finding))
    .toSorted((a, b) => costOf(b) - costOf(a));
}

/** What trackers of findings are told: why a page could not be judged, then what costs points, largest loss first. */
export function listReported(check: CheckAnswer): FindingAnswer[] {
  return [...listOpenRoots(check), ...listCosts(check)];
}

/** Why there is no check, as a finding: a tracker that is told of none takes the page for a good one. */
export const UNCHECKED = { id: "not-checked", title: "The page was not checked" } as const;

export function describeUnchecked(error: CliError): string {
  return `${UNCHECKED.title}: ${describeError(error)}`;
}

/** The lowest cap that a finding puts on the score, where it puts one. */
export function findCap(
  check: CheckAnswer,
  { id }: FindingAnswer,
): CheckAnswer["caps"][number] | undefined {
  return check.caps
    .filter(({ findingId }) => findingId === id)
    .toSorted((a, b) => a.limit - b.limit)[0];
}

/** What was seen and what to do, in one paragraph. */
export function describeFinding({ evidence, fix }: FindingAnswer): string {
  return [evidence, fix].filter((text) => text !== "").join(" ");
}

const PLAIN_PATH = /^\/[\w./-]*(?:\?[\w=&.-]*)?(?:#[\w.-]*)?$/;
const ALL_RULES = "/docs/rules";

/** The address of a finding's documentation, on the server that was asked. */
export function docsUrlOf({ docsUrl }: FindingAnswer, baseUrl: URL): string {
  return new URL(`.${PLAIN_PATH.test(docsUrl) ? docsUrl : ALL_RULES}`, baseUrl).href;
}

/** The page as the server names it; as it was typed, its secrets cut, where there is no check. */
export function urlOf(checked: Checked): string {
  if ("check" in checked) return checked.check.url;
  if (!URL.canParse(checked.url)) return checked.url;
  const url = new URL(checked.url);
  url.username = "";
  url.password = "";
  for (const name of new Set(url.searchParams.keys())) url.searchParams.set(name, "***");
  return url.href;
}

/** A page as the relative path that tools for files of a repository take: `example.com/blog`. */
export function pathOf(address: string): string {
  if (!URL.canParse(address)) return encodeURIComponent(address);
  const { host, pathname } = new URL(address);
  return encodeURIComponent(host) + pathname.replace(/\/+$/, "");
}

/** The same for the same finding of the same page, in every run. */
export function fingerprintOf(address: string, { id }: { readonly id: string }): string {
  return createHash("sha256").update(`${address}\n${id}`).digest("hex").slice(0, 32);
}
