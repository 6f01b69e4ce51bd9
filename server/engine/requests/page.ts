import {
  FIRST_BYTE_TIMEOUT_MS,
  MAX_PAGE_BYTES,
  PAGE_REQUESTS,
  PAGE_TIMEOUT_MS,
  REQUEST_TIMEOUT_MS,
  STEP_REQUESTS,
} from "../../base/bounds.ts";
import { NOT_ACCEPTABLE } from "../../base/syntax/http.ts";
import { openDeadline } from "../net/deadline.ts";
import { ACCEPT_BROWSER, ACCEPT_PAGE, tryFetch } from "./answer.ts";
import { type BodyReading, mayReplacePage, readBody } from "./body/body-facts.ts";
import {
  followRedirect,
  followRedirects,
  type RedirectPlan,
  stopUnreached,
  type Walk,
} from "./redirect-chain.ts";
import { type DrawnCookies, readDrawnCookies, openJar } from "./cookies.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { RedirectChain } from "../evidence/exchange.ts";
import { findList } from "../net/fetch.ts";
import type { Target } from "../net/guard.ts";
import { keepHeaders, PAGE_HEADER_BYTES, REDIRECT_HEADER_BYTES } from "./headers.ts";
import { redactUrl } from "./privacy/redact.ts";
import { areOfOneDomain } from "../../base/syntax/host-pattern.ts";
import type { PageStyles } from "./named-files.ts";
import type { VisitContext } from "./context.ts";

export const UNTIMED: Evidence["page"]["timings"] = {
  dnsMs: null,
  connectMs: null,
  tlsMs: null,
  firstByteMs: null,
  downloadMs: null,
};

const NOTHING_READ = {
  assets: [],
  links: [],
  cardImages: [],
  words: null,
  readShown: () => "",
  styles: null,
};

export interface PageReading extends Pick<
  BodyReading,
  "assets" | "links" | "cardImages" | "words" | "readShown"
> {
  styles: PageStyles | null;
  page: Evidence["page"];
  end: Target;
  /** Other requests that were as slow as the page have timed out. */
  isLate: boolean;
  cookies: DrawnCookies;
}

/** R1, with one immediate retry unless the page is late. */
export async function readPage(context: VisitContext, first: Target): Promise<PageReading> {
  const startedAt = performance.now();
  const { walk, reading, page } = await visitPage(context, first, true);
  const isLate = performance.now() - startedAt > REQUEST_TIMEOUT_MS;
  const { last } = walk;
  const end = last?.target ?? first;
  const cookies = readDrawnCookies(last?.exchange.received?.rawHeaders ?? []);
  return { ...NOTHING_READ, ...reading, end, isLate, cookies, page };
}

/** R1 without its retry. The body is read only if it may stand in place of the page. */
export async function readPageOnce(
  context: VisitContext,
  first: Target,
): Promise<Evidence["page"]> {
  const { page } = await visitPage(context, first, false);
  return page;
}

interface Visit {
  walk: Walk;
  reading: BodyReading | null;
}

/** Follows one page that only leads on to another page of the site. */
async function visitPage(
  context: VisitContext,
  first: Target,
  isCheck: boolean,
): Promise<Visit & Pick<PageReading, "page">> {
  const { signal, extend } = openDeadline(context.signal, PAGE_TIMEOUT_MS);
  const options = { signal, retries: isCheck, jar: openJar() };
  const walk = await walkToPage(context, { ...options, first, maxRequests: PAGE_REQUESTS });
  const seen = { walk, reading: await readAnswer(context, walk, isCheck) };
  const { walk: last, reading } = await followStep(context, seen, options, isCheck);
  // Bodies of redirects are still being dropped, until the visit ends.
  extend();
  const page = {
    ...describePage(signal, last),
    body: reading?.body ?? null,
    browserStatus: await askAsBrowser(context, last),
    leadsTo: reading?.step ? redactUrl(reading.step) : null,
  };
  return { walk: last, reading, page };
}

async function followStep(
  context: VisitContext,
  seen: Visit,
  options: Pick<PageWalk, "signal" | "retries" | "jar">,
  isCheck: boolean,
): Promise<Visit> {
  const { walk, reading } = seen;
  const from = walk.last?.target;
  const step = reading?.step;
  const isOwn = from && step && areOfOneDomain(step.hostname, from.url.hostname);
  if (!isOwn) return seen;
  const next = await followRedirect(context.guard, [from.url], step.href);
  if ("stop" in next) {
    walk.chain.stop = next.stop;
    return { walk, reading: null };
  }
  const { follow } = next;
  const on = await walkToPage(context, { ...options, first: follow, maxRequests: STEP_REQUESTS });
  if (!on.last) return seen;
  const joined = joinWalks(walk, on);
  return { walk: joined, reading: await readAnswer(context, joined, isCheck) };
}

/** The page that leads on counts as a redirect. */
function joinWalks({ chain, last }: Walk, on: Walk): Walk {
  const rawHeaders = last?.exchange.received?.rawHeaders ?? [];
  const headers = keepHeaders(rawHeaders, REDIRECT_HEADER_BYTES);
  const hops = chain.hops.map((hop, at) =>
    at < chain.hops.length - 1 ? hop : { ...hop, headers },
  );
  return { ...on, chain: { ...on.chain, hops: [...hops, ...on.chain.hops] } };
}

/** A filter of robots may answer 406 to an Accept that is no browser's. */
async function askAsBrowser(context: VisitContext, { last }: Walk): Promise<number | null> {
  if (!last || last.exchange.received?.status !== NOT_ACCEPTABLE) return null;
  const options = { accept: ACCEPT_BROWSER, maxBytes: 0 };
  const exchange = await tryFetch(context, last.target, options);
  return exchange?.received?.status ?? null;
}

interface PageWalk extends Required<Pick<RedirectPlan, "first" | "retries" | "jar">> {
  signal: AbortSignal;
  maxRequests: number;
}

function walkToPage(
  context: VisitContext,
  { maxRequests, signal, ...plan }: PageWalk,
): Promise<Walk> {
  return followRedirects(
    { ...context, signal },
    {
      ...plan,
      planRequest({ url }) {
        context.secrets.noteUrl(url);
        return {
          accept: ACCEPT_PAGE,
          maxBytes: MAX_PAGE_BYTES,
          firstByteMs: FIRST_BYTE_TIMEOUT_MS,
        };
      },
      reserve: context.budget.reserve(maxRequests),
      headerBytes: PAGE_HEADER_BYTES,
    },
  );
}

async function readAnswer(
  context: VisitContext,
  walk: Walk,
  isCheck: boolean,
): Promise<BodyReading | null> {
  const input = findBody(context, walk);
  if (!input || (!isCheck && !(await mayReplacePage(input)))) return null;
  context.room.spend(input.bytes.length);
  const reading = await readBody(input);
  const { status = 0 } = walk.last?.exchange.received ?? {};
  return status >= 200 && status < 300 ? reading : { ...reading, step: null };
}

function describePage(
  signal: AbortSignal,
  { chain, last, attempts }: Walk,
): Pick<Evidence["page"], "attempts" | "timings"> & RedirectChain {
  const page = { ...chain, attempts, timings: last?.exchange.timings ?? UNTIMED };
  const isCutOff = signal.aborted && chain.failure?.phase === "deadline";
  if (!isCutOff || !last || chain.hops.length === 0) return page;
  // The redirects took the page's time, so the last URL had less than a whole request's.
  return { ...page, failure: null, stop: stopUnreached(last.target.url) };
}

function findBody({ guard, signal }: VisitContext, { chain, last }: Walk) {
  const received = last?.exchange.received;
  if (!last || !received?.content || chain.stop) return undefined;
  const contentType = findList(received.rawHeaders, "content-type");
  const policy = findList(received.rawHeaders, "content-security-policy");
  const refresh = findList(received.rawHeaders, "refresh");
  return { ...received.content, contentType, policy, refresh, url: last.target.url, guard, signal };
}
