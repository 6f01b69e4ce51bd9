import type { Evidence } from "./evidence.ts";
import type { Headers, Hop, Tls } from "./exchange.ts";
import type { Html } from "./html.ts";
import { findUrl } from "../../base/syntax/url.ts";

export function findAnswer(evidence: Evidence): Hop | undefined {
  const { hops, failure, stop } = evidence.page;
  return failure || stop ? undefined : hops.at(-1);
}

export function getAnswer(evidence: Evidence): Hop {
  const answer = findAnswer(evidence);
  if (!answer) throw new Error("the page has no answer");
  return answer;
}

const MAX_PARSED = 1000;
/** Caches parsed URLs, because the rules read the same few URLs about a hundred times. */
const parsed = new Map<string, URL>();

/** Returns a shared object that callers must not change. An invalid URL becomes `about:invalid`, which has no host. */
export function urlOf(text: string): Readonly<URL> {
  const url = parsed.get(text) ?? findUrl(text) ?? new URL("about:invalid");
  if (parsed.size === MAX_PARSED) parsed.clear();
  parsed.set(text, url);
  return url;
}

export function pageUrl(evidence: Evidence): URL {
  return urlOf(evidence.page.hops.at(-1)?.url ?? evidence.url);
}

export function ownHosts(evidence: Evidence): string[] {
  return [urlOf(evidence.url).hostname, pageUrl(evidence).hostname];
}

export function headerValues(headers: Headers, name: string): string[] {
  return headers.filter(([other]) => other === name).map(([, value]) => value);
}

export function pageHeader(evidence: Evidence, name: string): string[] {
  return headerValues(findAnswer(evidence)?.headers ?? [], name);
}

export function listMembers(values: readonly string[]): string[] {
  return values
    .flatMap((value) => value.split(","))
    .map((member) => member.trim())
    .filter((member) => member !== "");
}

export function findWholeHtml(evidence: Evidence): Html | undefined {
  const body = evidence.page.body;
  return body?.state === "whole" ? (body.html ?? undefined) : undefined;
}

export function findHead(evidence: Evidence): Html | undefined {
  const html = evidence.page.body?.html ?? undefined;
  return html?.isHeadWhole ? html : findWholeHtml(evidence);
}

export function pageHandshakes(evidence: Evidence): Tls[] {
  const { hops, failure, tls } = evidence.page;
  const answered = hops.flatMap((hop) => hop.tls ?? []);
  return tls && (failure || answered.length === 0) ? [...answered, tls] : answered;
}

export function lacksStaple({ certificate, isStapled }: Tls): boolean {
  return certificate.mustStaple && isStapled === false;
}
