import { constants, gunzipSync } from "node:zlib";
import {
  ACCEPT_ANY,
  ACCEPT_PAGE,
  answerOf,
  refusedAnswer,
  SKIPPED,
  type Take,
  targetAt,
  tryFetch,
} from "./answer.ts";
import { type Walk, followRedirects } from "./redirect-chain.ts";
import type { Content } from "../../net/content.ts";
import { type DrawnCookies, readDrawnCookies } from "./drawn-cookies.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { findList, lateFailure, type Received } from "../../net/fetch.ts";
import type { Target } from "../../net/guard.ts";
import { SIDE_HEADER_BYTES } from "./headers.ts";
import { extractMediaType } from "../../syntax/media-type.ts";
import { redactUrl } from "../privacy/redact.ts";
import { readRobots } from "../body/robots.ts";
import { findBlocks, type RobotsRules } from "../body/robots-rules.ts";
import type { ProbeContext } from "./context.ts";
import { isSitemap } from "../body/sitemap.ts";
import { Slice } from "../../net/slice.ts";

/** An origin that no server has reason to trust. */
const FOREIGN_ORIGIN = "https://shipscore-probe.example";
const ROBOTS_PATH = "/robots.txt";
/** Room for a policy, whose nonces are compared with the page's. */
const FOREIGN_HEADER_BYTES = 8192;
const ROBOTS_REQUESTS = 3;
const MAX_ROBOTS_BYTES = 512_000;
const MAX_SITEMAP_BYTES = 65_536;
const MAX_UNPACKED_BYTES = 1_048_576;
const GZIP_MAGIC = "1f8b";

export interface ForeignReading {
  cors: Evidence["cors"];
  /** Null without an answer. */
  cookies: DrawnCookies | null;
}

/** R1b: the page, asked for by a foreign origin. */
export async function askForeign(context: ProbeContext, target: Target): Promise<ForeignReading> {
  const headers = { origin: FOREIGN_ORIGIN };
  const exchange = await tryFetch(context, target, { accept: ACCEPT_PAGE, maxBytes: 0, headers });
  const received = exchange?.received;
  return {
    cors: {
      ...(exchange ? answerOf(exchange, FOREIGN_HEADER_BYTES) : SKIPPED),
      origin: FOREIGN_ORIGIN,
    },
    cookies: received ? readDrawnCookies(received.rawHeaders) : null,
  };
}

/** What robots.txt said, and how long its first byte took; `sitemap` whole, for the request that follows. */
export interface RobotsReading {
  robots: Omit<Evidence["robots"], "blocks">;
  /** Null where there was none, or none that could be read. */
  rules: RobotsRules | null;
  /** Whose robots.txt it is: the origin that was asked, and the one that its redirects led to. */
  origins: readonly string[];
  sitemap: URL | null;
  firstByteMs: number | null;
}

const NO_ROBOTS = { badLine: null, sitemaps: [], rules: null, isWhole: true };

/** R3: robots.txt, led through 2 redirects at most (RFC 9309, 2.3.1.2). */
export async function askRobots(context: ProbeContext, target: Target): Promise<RobotsReading> {
  const { last } = await followRedirects(context, {
    first: targetAt(target, ROBOTS_PATH),
    askOf: () => ({ accept: ACCEPT_ANY, maxBytes: MAX_ROBOTS_BYTES }),
    reserve: context.budget.reserve(ROBOTS_REQUESTS),
    headerBytes: SIDE_HEADER_BYTES,
  });
  const answer = last ? answerOf(last.exchange) : SKIPPED;
  const page = last && findPageInPlace(last);
  const text = page ? null : readText(last?.exchange.received);
  const facts = text === null ? NO_ROBOTS : await readRobots(text, new Slice(context.signal));
  const { badLine, sitemaps, rules, isWhole } = facts;
  const end = last?.target.url;
  const failure =
    answer.failure ??
    garbledFailure(last?.exchange.received) ??
    (isWhole ? null : lateFailure("deadline"));
  return {
    robots: { ...answer, failure, badLine, sitemaps: sitemaps.map(redactUrl), page },
    rules,
    origins: [target.url.origin, ...(end?.pathname === ROBOTS_PATH ? [end.origin] : [])],
    sitemap: sitemaps[0] ?? null,
    firstByteMs: last?.exchange.timings.firstByteMs ?? null,
  };
}

/** The page that redirects led to: a home page, or whatever comes as HTML. */
function findPageInPlace({ target, exchange }: NonNullable<Walk["last"]>): string | null {
  const { url } = target;
  if (url.pathname === ROBOTS_PATH || !exchange.received) return null;
  const contentType = findList(exchange.received.rawHeaders, "content-type") ?? "";
  const isPage = url.pathname === "/" || extractMediaType(contentType)?.essence === "text/html";
  return isPage ? redactUrl(url) : null;
}

/**
 * The lines that close a URL to a crawler; null where the robots.txt is that of another origin, or time was over before
 * all of it was read.
 */
export async function askBlocks(
  { signal }: ProbeContext,
  { robots, rules, origins }: RobotsReading,
  url: URL,
): Promise<Evidence["robots"]["blocks"]> {
  if (!origins.includes(url.origin) || (rules && robots.failure)) return null;
  return rules ? findBlocks(rules, url, new Slice(signal)) : [];
}

/** R4: a sitemap that robots.txt names. `take` takes the request for it. */
export async function askSitemap(
  context: ProbeContext,
  sitemap: URL,
  take: Take,
): Promise<NonNullable<Evidence["sitemap"]>> {
  const url = redactUrl(sitemap);
  const vetting = await context.guard.vet(sitemap.href);
  if (!vetting.ok) return { ...refusedAnswer(vetting), url, valid: null };
  const ask = { accept: ACCEPT_ANY, maxBytes: MAX_SITEMAP_BYTES };
  const exchange = await tryFetch(context, vetting.target, ask, take);
  if (!exchange) return { ...SKIPPED, url, valid: null };
  const text = readText(exchange.received);
  const bytes = exchange.received?.content?.bytes;
  const isPacked = bytes?.subarray(0, 2).toString("hex") === GZIP_MAGIC;
  const xml = text !== null && bytes && isPacked ? unpackSitemap(bytes) : text;
  const valid = xml === null ? null : await isSitemap(xml, new Slice(context.signal));
  return { ...answerOf(exchange), url, valid };
}

/** A sitemap may be a gzip file (sitemaps.org); null where it unpacks to more than is read, or not at all. */
function unpackSitemap(bytes: Buffer): string | null {
  try {
    const finishFlush = constants.Z_SYNC_FLUSH;
    return gunzipSync(bytes, { finishFlush, maxOutputLength: MAX_UNPACKED_BYTES }).toString("utf8");
  } catch {
    return null;
  }
}

/** The text of a 2xx that could be decoded, whole or its beginning. */
function readText(received: Received | null | undefined): string | null {
  if (!received?.content || received.status < 200 || received.status > 299) return null;
  const { bytes, state } = received.content;
  return isGarbled(state) ? null : bytes.toString("utf8");
}

function isGarbled(state: Content["state"]): boolean {
  return state === "unsupported" || state === "undecodable";
}

/** Of a body that came, and could not be decoded. */
function garbledFailure(received: Received | null | undefined): Evidence["robots"]["failure"] {
  const content = received?.content;
  if (!content || !isGarbled(content.state)) return null;
  return { phase: "body", code: content.state, detail: content.encoding ?? "" };
}
