import { MAX_REDIRECTS } from "../../base/bounds.ts";
import type { Stop, RedirectChain, Hop } from "../evidence/exchange.ts";
import type { Guard, Target } from "../net/guard.ts";
import { redactUrl } from "./privacy/redact.ts";
import { findUrl } from "../../base/syntax/url.ts";
import type { Reserve } from "../net/budget.ts";
import {
  type RequestOptions,
  type Exchange,
  type ReceivedAnswer,
  fetchOnce,
  findLocation,
  isWorthRetry,
} from "../net/fetch.ts";
import { keepHeaders, LATER_HEADER_BYTES, REDIRECT_HEADER_BYTES } from "./headers.ts";
import type { Jar } from "./cookies.ts";
import type { VisitContext } from "./context.ts";

/** The redirects whose headers are kept in full. */
const FULL_REDIRECTS = 5;

export async function followRedirect(
  guard: Guard,
  visited: readonly URL[],
  location: string,
  wasRequested = (url: URL): boolean => visited.some((each) => addressOf(each) === addressOf(url)),
): Promise<{ follow: Target } | { stop: Stop }> {
  const base = visited.at(-1);
  if (base === undefined) throw new Error("a redirect comes from a visited URL");
  const next = findUrl(location, base);
  const stop = (reason: Stop["reason"], refusal: Stop["refusal"] = null): { stop: Stop } => ({
    stop: { url: redactUrl(next ?? location), reason, refusal },
  });

  if (visited.length > MAX_REDIRECTS) return stop("too_many");
  const isPlain = next?.protocol === "http:";
  if (isPlain && base.protocol === "https:") return stop("downgrade");
  const vetting = await guard.vet(location, { base, scheme: isPlain ? "http:" : "https:" });
  if (!vetting.ok) return stop("refused", vetting.refusal.code);
  if (wasRequested(vetting.target.url)) return stop("loop");
  return { follow: vetting.target };
}

/** The fragment of a URL is not sent. */
function addressOf(url: URL): string {
  return url.href.replace(/#.*/, "");
}

export interface RedirectPlan {
  first: Target;
  planRequest: (target: Target) => RequestOptions;
  /** The requests it may send, including a retry. They are released at its end. */
  reserve: Reserve;
  /** In JSON bytes. Applies to an answer that does not redirect. */
  headerBytes: number;
  retries?: boolean;
  jar?: Jar;
}

export interface Walk {
  chain: RedirectChain;
  /** Null if no request was left for the first URL. */
  last: { target: Target; exchange: Exchange } | null;
  attempts: number;
}

/** Follows redirects one by one. Each target is vetted before it is visited. */
export async function followRedirects(context: VisitContext, plan: RedirectPlan): Promise<Walk> {
  const chain: RedirectChain = { hops: [], failure: null, stop: null, tls: null };
  const walk: Walk = { chain, last: null, attempts: 1 };
  const trail: Trail = { visited: [], requested: new Set(), jar: plan.jar };
  let target: Target | null = plan.first;
  while (target) {
    if (!plan.reserve.take()) {
      if (chain.hops.length > 0) chain.stop = stopUnreached(target.url);
      break;
    }
    const exchange = await requestTarget(context, target, plan);
    walk.last = { target, exchange };
    const mayRetry = plan.retries && walk.attempts === 1 && !context.signal.aborted;
    if (mayRetry && isExchangeWorthRetry(exchange)) {
      walk.attempts = 2;
      continue;
    }
    const { received, failure, tls } = exchange;
    chain.failure = failure;
    chain.tls = tls;
    const isRefused = failure?.phase === "response";
    const isRedirect = received !== null && findLocation(received) !== undefined;
    if (received && (isRedirect || !isRefused))
      chain.hops.push(describeHop(target, received, chain, plan));
    if (isRedirect && isRefused)
      chain.stop = { url: redactUrl(target.url), reason: "headers", refusal: null };
    target =
      received && !isRefused ? await findNext(context, trail, { target, exchange }, chain) : null;
  }
  plan.reserve.release();
  return walk;
}

export function stopUnreached(url: URL): Stop {
  return { url: redactUrl(url), reason: "unreached", refusal: null };
}

function requestTarget(
  context: VisitContext,
  target: Target,
  { planRequest, jar }: RedirectPlan,
): Promise<Exchange> {
  const cookiesFor = (isTrusted: boolean) => jar?.cookiesFor(target.url, isTrusted) ?? "";
  return fetchOnce(context, target, { ...planRequest(target), cookiesFor });
}

interface Trail {
  visited: URL[];
  requested: Set<string>;
  jar: Jar | undefined;
}

function describeRequest({ jar }: Trail, url: URL): string {
  return `${addressOf(url)}\n${jar?.cookiesFor(url, true) ?? ""}`;
}

async function findNext(
  { guard }: VisitContext,
  trail: Trail,
  { target: { url }, exchange: { received, trusted } }: NonNullable<Walk["last"]>,
  chain: RedirectChain,
): Promise<Target | null> {
  const location = received ? findLocation(received) : undefined;
  if (received === null || location === undefined) return null;
  trail.visited.push(url);
  trail.requested.add(describeRequest(trail, url));
  trail.jar?.note(url, received.rawHeaders, trusted);
  const wasRequested = (next: URL): boolean => trail.requested.has(describeRequest(trail, next));
  const step = await followRedirect(guard, trail.visited, location, wasRequested);
  if ("follow" in step) return step.follow;
  chain.stop = step.stop;
  return null;
}

function describeHop(
  { url }: Target,
  received: ReceivedAnswer,
  { hops, tls }: RedirectChain,
  { headerBytes }: RedirectPlan,
): Hop {
  const { status, address, rawHeaders } = received;
  const isRedirect = findLocation(received) !== undefined;
  const redirectBytes = hops.length < FULL_REDIRECTS ? REDIRECT_HEADER_BYTES : LATER_HEADER_BYTES;
  const headers = keepHeaders(rawHeaders, isRedirect ? redirectBytes : headerBytes);
  return { url: redactUrl(url), status, address, headers, tls };
}

function isExchangeWorthRetry({ received, failure }: Exchange): boolean {
  return isWorthRetry({ status: received?.status ?? null, failure });
}
