import { MAX_PAGE_BYTES, PAGE_REQUESTS } from "../../base/bounds.ts";
import { NOT_ACCEPTABLE } from "../../base/syntax/http.ts";
import { ACCEPT_BROWSER, ACCEPT_PAGE, tryFetch } from "./answer.ts";
import { type BodyReading, mayBeChallenge, readBody } from "./body/body-facts.ts";
import { followRedirects, stopUnreached, type Walk } from "./redirect-chain.ts";
import { type DrawnCookies, readDrawnCookies, openJar } from "./cookies.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { findList } from "../net/fetch.ts";
import type { Target } from "../net/guard.ts";
import { PAGE_HEADER_BYTES } from "./headers.ts";
import type { VisitContext } from "./context.ts";

export const UNTIMED: Evidence["page"]["timings"] = {
  dnsMs: null,
  connectMs: null,
  tlsMs: null,
  firstByteMs: null,
  downloadMs: null,
};

const NOTHING_READ = { assets: [], links: [], cardImages: [], words: null, readShown: () => "" };

export interface PageReading extends Pick<
  BodyReading,
  "assets" | "links" | "cardImages" | "words" | "readShown"
> {
  page: Evidence["page"];
  end: Target;
  /** The first attempt timed out, and the second did not. */
  isLate: boolean;
  cookies: DrawnCookies;
}

/** R1, with one immediate retry. */
export async function readPage(context: VisitContext, first: Target): Promise<PageReading> {
  const walk = await walkToPage(context, first, true);
  const { lateMs, last } = walk;
  const page = {
    ...describePage(context, walk),
    browserStatus: await askAsBrowser(context, walk),
  };
  const end = last?.target ?? first;
  const cookies = readDrawnCookies(last?.exchange.received?.rawHeaders ?? []);
  const reached = { end, isLate: lateMs > 0, cookies };
  const input = findBody(context, walk);
  if (!input) return { ...reached, ...NOTHING_READ, page };
  context.room.spend(input.bytes.length);
  const { body, ...named } = await readBody(input);
  return { ...reached, ...named, page: { ...page, body } };
}

/** A filter of robots may answer 406 to an Accept that is no browser's. */
async function askAsBrowser(context: VisitContext, { last }: Walk): Promise<number | null> {
  if (!last || last.exchange.received?.status !== NOT_ACCEPTABLE) return null;
  const options = { accept: ACCEPT_BROWSER, maxBytes: 0 };
  const exchange = await tryFetch(context, last.target, options);
  return exchange?.received?.status ?? null;
}

/** R1 without its retry. The facts of the body are read only if it may be a challenge page. */
export async function readPageOnce(
  context: VisitContext,
  first: Target,
): Promise<Evidence["page"]> {
  const walk = await walkToPage(context, first, false);
  const page = {
    ...describePage(context, walk),
    browserStatus: await askAsBrowser(context, walk),
  };
  const input = findBody(context, walk);
  if (!input || !(await mayBeChallenge(input))) return page;
  const { body } = await readBody(input);
  return { ...page, body };
}

function walkToPage(context: VisitContext, first: Target, retries: boolean): Promise<Walk> {
  return followRedirects(context, {
    first,
    planRequest({ url }) {
      context.secrets.noteUrl(url);
      return { accept: ACCEPT_PAGE, maxBytes: MAX_PAGE_BYTES };
    },
    reserve: context.budget.reserve(PAGE_REQUESTS),
    headerBytes: PAGE_HEADER_BYTES,
    retries,
    jar: openJar(),
  });
}

function describePage({ signal }: VisitContext, walk: Walk): Evidence["page"] {
  const { chain, last, attempts, lateMs } = walk;
  const timings = addWait(last?.exchange.timings ?? UNTIMED, lateMs);
  const page = { ...chain, attempts, timings, body: null, browserStatus: null };
  const isCutOff = signal.aborted && chain.failure !== null && attempts === 1;
  if (!isCutOff || !last || chain.hops.length === 0) return page;
  // The redirects took the visit's time, so the last URL had less than a whole request's.
  return { ...page, failure: null, stop: stopUnreached(last.target.url) };
}

function findBody({ guard, signal }: VisitContext, { chain, last }: Walk) {
  const received = last?.exchange.received;
  if (!last || !received?.content || chain.stop) return undefined;
  const contentType = findList(received.rawHeaders, "content-type");
  const policy = findList(received.rawHeaders, "content-security-policy");
  return { ...received.content, contentType, policy, url: last.target.url, guard, signal };
}

/** Time to first byte counts from the first attempt, even if that was given up. */
function addWait(timings: Evidence["page"]["timings"], lateMs: number): typeof timings {
  const { firstByteMs } = timings;
  return { ...timings, firstByteMs: firstByteMs === null ? null : firstByteMs + lateMs };
}
