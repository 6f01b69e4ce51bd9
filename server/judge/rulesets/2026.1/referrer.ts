import type { Evidence } from "../../../evidence/evidence.ts";
import { listMembers, metaContents, pageHeader } from "./page.ts";

const POLICIES = [
  "no-referrer",
  "no-referrer-when-downgrade",
  "same-origin",
  "origin",
  "strict-origin",
  "origin-when-cross-origin",
  "strict-origin-when-cross-origin",
  "unsafe-url",
];

/** Keywords that a meta may still use (HTML, 4.2.5.1). */
const LEGACY: Readonly<Record<string, string>> = {
  never: "no-referrer",
  default: "strict-origin-when-cross-origin",
  always: "unsafe-url",
  "origin-when-crossorigin": "origin-when-cross-origin",
};

/** The policy that a Referrer-Policy header sets: the last known token (Referrer Policy, 8.1). */
export function findReferrerPolicy(values: readonly string[]): string | undefined {
  return listMembers(values)
    .map((token) => token.toLowerCase())
    .findLast((token) => POLICIES.includes(token));
}

/** The policy that applies once the page is parsed; undefined where the browser's own does. */
export function findPageReferrerPolicy(evidence: Evidence): string | undefined {
  const fromMeta = metaContents(evidence, "referrer")
    .map((content) => content.trim().toLowerCase())
    .map((keyword) => LEGACY[keyword] ?? keyword)
    .findLast((keyword) => POLICIES.includes(keyword));
  return fromMeta ?? findReferrerPolicy(pageHeader(evidence, "referrer-policy"));
}
