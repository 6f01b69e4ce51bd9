import type { Evidence } from "./evidence.ts";

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

const SECRETIVE: readonly string[] = ["no-referrer", "same-origin"];
const ORIGIN_ALONE: readonly string[] = ["origin", "strict-origin"];

/** Browsers use the last token that they know (Referrer Policy, 8.1). */
export function findReferrerPolicy(values: readonly string[]): string | undefined {
  return values
    .flatMap((value) => value.split(","))
    .map((token) => token.trim().toLowerCase())
    .findLast((token) => POLICIES.includes(token));
}

export function findMetaReferrerPolicy(contents: readonly string[]): string | undefined {
  return contents
    .map((content) => content.toLowerCase())
    .map((keyword) => LEGACY[keyword] ?? keyword)
    .findLast((keyword) => POLICIES.includes(keyword));
}

/** Returns undefined if the browser's default applies. */
export function findRequestPolicy({ hops, body }: Evidence["page"]): string | undefined {
  const metas = (body?.html?.metas ?? []).filter(({ name }) => name === "referrer");
  const headers = (hops.at(-1)?.headers ?? []).filter(([name]) => name === "referrer-policy");
  return (
    findMetaReferrerPolicy(metas.map(({ content }) => content)) ??
    findReferrerPolicy(headers.map(([, value]) => value))
  );
}

/**
 * Implements Referrer Policy, 8.3. Another origin receives at most the page's origin, because the query may contain
 * secrets of the caller.
 */
export function findReferer(from: URL, to: URL, policy: string | undefined): string | undefined {
  const isOwn = from.origin === to.origin;
  if (policy === "no-referrer" || (!isOwn && SECRETIVE.includes(policy ?? ""))) return undefined;
  const isWhole = isOwn && !ORIGIN_ALONE.includes(policy ?? "");
  return `${from.origin}${isWhole ? from.pathname + from.search : "/"}`;
}
