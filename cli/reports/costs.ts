import { createHash } from "node:crypto";
import type { CheckAnswer } from "../answers.ts";
import type { Checked } from "../checked.ts";

export type Finding = CheckAnswer["findings"][number];

export function costOf({ earned, points }: Finding): number {
  return points - earned;
}

function listCostly({ findings }: CheckAnswer): Finding[] {
  return findings
    .filter((finding) => costOf(finding) > 0)
    .toSorted((a, b) => costOf(b) - costOf(a));
}

/** The findings that were judged and cost points, dearest first. */
export function listCosts(check: CheckAnswer): Finding[] {
  return listCostly(check).filter(({ status }) => status !== "unknown");
}

/** The findings that cost points because nothing could be seen. */
export function listUnknown(check: CheckAnswer): Finding[] {
  return listCostly(check).filter(({ status }) => status === "unknown");
}

/** The lowest cap that a finding puts on the score, where it puts one. */
export function findCap(
  check: CheckAnswer,
  { id }: Finding,
): CheckAnswer["caps"][number] | undefined {
  return check.caps
    .filter(({ findingId }) => findingId === id)
    .toSorted((a, b) => a.limit - b.limit)[0];
}

/** What was seen and what to do, in one paragraph. */
export function describeFinding({ evidence, fix }: Finding): string {
  return [evidence, fix].filter((text) => text !== "").join(" ");
}

const PLAIN_PATH = /^\/[\w./-]*(?:\?[\w=&.-]*)?(?:#[\w.-]*)?$/;
const ALL_RULES = "/docs/rules";

/** The address of a finding's documentation, on the server that was asked. */
export function docsUrlOf({ docsUrl }: Finding, baseUrl: URL): string {
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
export function fingerprintOf(address: string, { id }: Finding): string {
  return createHash("sha256").update(`${address}\n${id}`).digest("hex").slice(0, 32);
}
