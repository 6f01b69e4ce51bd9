import {
  ACCEPT_ANY,
  ACCEPT_PAGE,
  answerOf,
  refusedAnswer,
  SKIPPED,
  type TakeRequest,
  targetAt,
  tryFetch,
} from "./answer.ts";
import { type Walk, followRedirects } from "./redirect-chain.ts";
import { ROBOTS_REQUESTS } from "../../base/bounds.ts";
import { type Content, unpack } from "../net/content.ts";
import { type DrawnCookies, readDrawnCookies } from "./cookies.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { findList, lateFailure, type ReceivedAnswer } from "../net/fetch.ts";
import type { Target } from "../net/guard.ts";
import { SIDE_HEADER_BYTES } from "./headers.ts";
import { type AssetCandidate, isVitalKind } from "./body/html-references.ts";
import { extractMediaType, HTML_TYPE } from "../../base/syntax/media-type.ts";
import { redactUrl } from "./privacy/redact.ts";
import { readRobots } from "./body/robots.ts";
import { findBlocks, type RobotsRules } from "./body/robots-rules.ts";
import type { VisitContext } from "./context.ts";
import { readSitemap } from "./body/sitemap.ts";
import { Slice } from "../net/slice.ts";

/** A foreign origin that no server has reason to trust. */
const FOREIGN_ORIGIN = "https://shipscore-probe.example";
const ROBOTS_PATH = "/robots.txt";
/** Enough for a policy, whose nonces are compared with those of the page. */
const FOREIGN_HEADER_BYTES = 8192;
const MAX_ROBOTS_BYTES = 512_000;
const MAX_SITEMAP_BYTES = 65_536;
const MAX_UNPACKED_BYTES = 1_048_576;

export interface ForeignReading {
  cors: Evidence["cors"];
  cookies: DrawnCookies | null;
}

/** R1b (see `Evidence`). */
export async function fetchForeign(context: VisitContext, target: Target): Promise<ForeignReading> {
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

/** `sitemap` is unredacted, for the next request. */
export interface RobotsReading {
  robots: Omit<Evidence["robots"], "blocks" | "closedFiles">;
  /** Null if there is none, or if it could not be read. */
  rules: RobotsRules | null;
  /** The requested origin, and the one at the end of the redirects. */
  origins: readonly string[];
  sitemap: URL | null;
  firstByteMs: number | null;
}

const NO_ROBOTS = { badLine: null, sitemaps: [], rules: null, isWhole: true };

/** R3: follows at most 2 redirects (RFC 9309, 2.3.1.2). */
export async function fetchRobots(context: VisitContext, target: Target): Promise<RobotsReading> {
  const { last } = await followRedirects(context, {
    first: targetAt(target, ROBOTS_PATH),
    planRequest: () => ({ accept: ACCEPT_ANY, maxBytes: MAX_ROBOTS_BYTES }),
    reserve: context.budget.reserve(ROBOTS_REQUESTS),
    headerBytes: SIDE_HEADER_BYTES,
  });
  const answer = last ? answerOf(last.exchange) : SKIPPED;
  const page = last && findPageInPlace(last);
  const text = page ? undefined : findBytes(last?.exchange.received)?.toString("utf8");
  const facts = text === undefined ? NO_ROBOTS : await readRobots(text, new Slice(context.signal));
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

function findPageInPlace({ target, exchange }: NonNullable<Walk["last"]>): string | null {
  const { url } = target;
  if (url.pathname === ROBOTS_PATH || !exchange.received) return null;
  const contentType = findList(exchange.received.rawHeaders, "content-type") ?? "";
  const isPage = url.pathname === "/" || extractMediaType(contentType)?.essence === HTML_TYPE;
  return isPage ? redactUrl(url) : null;
}

/** Null if the robots.txt is of another origin, or was not read completely. */
export async function findRobotsBlocks(
  { signal }: VisitContext,
  { robots, rules, origins }: RobotsReading,
  url: URL,
): Promise<Evidence["robots"]["blocks"]> {
  if (!origins.includes(url.origin) || (rules && robots.failure)) return null;
  return rules ? findBlocks(rules, url, new Slice(signal)) : [];
}

/** Search engines need the page's own scripts and style sheets to render it. */
export async function findDisallowedFiles(
  context: VisitContext,
  reading: RobotsReading,
  page: URL,
  files: readonly AssetCandidate[],
): Promise<Evidence["robots"]["closedFiles"]> {
  const closed: Evidence["robots"]["closedFiles"] = [];
  for (const { url, kind, tag, line } of files) {
    if (!isVitalKind(kind) || url.origin !== page.origin) continue;
    const blocks = (await findRobotsBlocks(context, reading, url)) ?? [];
    const block = blocks.find(({ agent }) => agent !== "*");
    if (block) closed.push({ url: redactUrl(url), tag, line, rule: block.text });
  }
  return closed;
}

/** R4, always over https. `take` takes the request from the budget. */
export async function fetchSitemap(
  context: VisitContext,
  sitemap: URL,
  take: TakeRequest,
): Promise<NonNullable<Evidence["sitemap"]>> {
  const unread = { url: redactUrl(sitemap), valid: null, origins: [] };
  const vetting = await context.guard.vet(sitemap.href.replace(/^http:/, "https:"));
  if (!vetting.ok) return { ...refusedAnswer(vetting), ...unread };
  const options = { accept: ACCEPT_ANY, maxBytes: MAX_SITEMAP_BYTES };
  const exchange = await tryFetch(context, vetting.target, options, take);
  if (!exchange) return { ...SKIPPED, ...unread };
  const bytes = findBytes(exchange.received);
  const file = bytes && (await unpack(bytes, MAX_UNPACKED_BYTES));
  const reading =
    !file || file.state === "over_limit"
      ? unread
      : await readSitemap(file.bytes.toString("utf8"), new Slice(context.signal));
  return { ...unread, ...answerOf(exchange), ...reading };
}

function findBytes(received: ReceivedAnswer | null | undefined): Buffer | null {
  if (!received?.content || received.status < 200 || received.status > 299) return null;
  return isGarbled(received.content.state) ? null : received.content.bytes;
}

function isGarbled(state: Content["state"]): boolean {
  return state === "unsupported" || state === "undecodable";
}

function garbledFailure(
  received: ReceivedAnswer | null | undefined,
): Evidence["robots"]["failure"] {
  const content = received?.content;
  if (!content || !isGarbled(content.state)) return null;
  return { phase: "body", code: content.state, detail: content.encoding ?? "" };
}
