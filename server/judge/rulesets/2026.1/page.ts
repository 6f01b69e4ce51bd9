import type { Evidence } from "../../../evidence/evidence.ts";
import type { Headers, Hop } from "../../../evidence/exchange.ts";
import type { Html } from "../../../evidence/html.ts";
import type { Tls } from "../../../evidence/tls.ts";
import { isUrl } from "../../../../shared/url.ts";

/** The answer that the page's redirects led to; undefined when they led to none. */
export function findAnswer(evidence: Evidence): Hop | undefined {
  const { hops, failure, stop } = evidence.page;
  return failure || stop ? undefined : hops.at(-1);
}

/** The answer that the page's redirects led to; throws when they led to none. */
export function getAnswer(evidence: Evidence): Hop {
  const answer = findAnswer(evidence);
  if (!answer) throw new Error("the page has no answer");
  return answer;
}

/** A URL of the evidence; of what cannot be parsed, as an early probe cut it, `about:invalid`, which has no host. */
export function urlOf(text: string): URL {
  return new URL(isUrl(text) ? text : "about:invalid");
}

/** Where the page was read, or as far as the check got on the way to it. */
export function pageUrl(evidence: Evidence): URL {
  return urlOf(evidence.page.hops.at(-1)?.url ?? evidence.url);
}

/** The values of one header, in the order received. */
export function headerValues(headers: Headers, name: string): string[] {
  return headers.filter(([other]) => other === name).map(([, value]) => value);
}

/** The values of one header of the page's answer. */
export function pageHeader(evidence: Evidence, name: string): string[] {
  return headerValues(findAnswer(evidence)?.headers ?? [], name);
}

/** Comma-separated members of a header's values, trimmed, empty ones left out. */
export function listMembers(values: readonly string[]): string[] {
  return values
    .flatMap((value) => value.split(","))
    .map((member) => member.trim())
    .filter((member) => member !== "");
}

/** The page's metas of that name, in document order. */
export function pageMetas(evidence: Evidence, name: string): Html["metas"] {
  return (evidence.page.body?.html?.metas ?? []).filter((meta) => meta.name === name);
}

/** The contents of the page's metas of that name, in document order. */
export function metaContents(evidence: Evidence, name: string): string[] {
  return pageMetas(evidence, name).map(({ content }) => content);
}

/** What the HTML holds, where all of it was read. */
export function findWholeHtml(evidence: Evidence): Html | undefined {
  const body = evidence.page.body;
  return body?.state === "whole" ? (body.html ?? undefined) : undefined;
}

/** Every TLS connection on the way to the page, first to last. */
export function pageHandshakes(evidence: Evidence): Tls[] {
  const { hops, failure, tls } = evidence.page;
  const answered = hops.flatMap((hop) => hop.tls ?? []);
  return tls && (failure || answered.length === 0) ? [...answered, tls] : answered;
}
