import { SKIPPED } from "./answer.ts";
import { isWorthAnother, type ProbeContext } from "./context.ts";
import { compareDrawnCookies } from "./cookies.ts";
import type { Evidence } from "../evidence/evidence.ts";
import type { Answer, RedirectChain } from "../evidence/exchange.ts";
import type { Target } from "../net/guard.ts";
import { probeAlpn, probeLegacyTls } from "./handshakes.ts";
import { askNotFound, type NotFoundReading, planNotFound } from "./not-found.ts";
import { readPage } from "./page.ts";
import { redactUrl } from "./privacy/redact.ts";
import { findRequestPolicy } from "../evidence/referrer.ts";
import { askAsset, askLink, sampleAssets, sampleLinks, askSourceMap } from "./samples.ts";
import { askCardImage } from "./card-images.ts";
import {
  type ForeignReading,
  askBlocks,
  askClosedFiles,
  askForeign,
  askRobots,
  askSitemap,
} from "./side-requests.ts";
import { GATEKEEPER_STATUSES } from "../../base/syntax/http.ts";
import { askPlainHttp, askTwin, findPlainUrl, findTwinUrl } from "./variants.ts";

/** A request sent in one wave. If its answer settles nothing, it is sent once more in the last wave. */
interface Question<T> {
  first: Promise<T>;
  /** `isPatient`: also repeats a request that timed out. */
  settle(isPatient: boolean): Promise<T>;
}

/** Sends the request immediately. A second answer replaces the first if it settles more. */
function sendQuestion<T>(
  ask: () => Promise<T>,
  isOpen: (answer: T, isPatient: boolean) => boolean,
): Question<T> {
  const first = ask();
  return {
    first,
    async settle(isPatient) {
      const answer = await first;
      if (!isOpen(answer, isPatient)) return answer;
      const again = await ask();
      return again === null || isOpen(again, isPatient) ? answer : again;
    },
  };
}

/** All of the evidence except what is known before the first request. */
export type Seen = Omit<
  Evidence,
  "version" | "url" | "preview" | "checkedAt" | "durationMs" | "stalledMs" | "dns"
>;

/**
 * Sends the requests of a check in three waves. The first needs only the URL; the second follows from the page and
 * robots.txt; the third repeats requests that settled nothing. `httpPort` replaces port 80 if given.
 */
export async function runWaves(
  context: ProbeContext,
  target: Target,
  httpPort?: number,
): Promise<Seen> {
  const one = openFirstWave(context, target, httpPort);
  const { page, end: last, isLate, cookies, readShown, ...named } = await one.reading;
  const { assets, links, cardImages } = isTurnedAway(page) ? NOTHING_NAMED : named;
  const sampled = sampleAssets(assets);
  const from = { url: last.url, policy: findRequestPolicy(page), readShown };
  const isElsewhere = isLedOn(page) && last.url.origin !== target.url.origin;
  const two = {
    lastHost: hasMoved(page, last, target) ? probeLastHost(context, last) : null,
    notFound: isElsewhere ? requestNotFound(context, last, one.unlikely) : one.notFound,
    cors: isLedOn(page) ? requestForeign(context, last) : one.cors,
    assets: sampled.map((each) => sendQuestion(() => askAsset(context, from, each), isUnsettled)),
    cardImages: cardImages.map((each) =>
      sendQuestion(() => askCardImage(context, each), isUnsettled),
    ),
    links: sampleLinks(links, last.url).map((each) =>
      sendQuestion(() => askLink(context, from, each), isUnsettled),
    ),
  };
  const samples = [...two.assets, ...two.cardImages, ...two.links];
  const asked = [...one.questions, two.notFound, two.cors, ...samples];
  await Promise.all(asked.map(({ first }) => first));
  const sourceMap = askSourceMap(context, await Promise.all(two.assets.map(({ first }) => first)));

  const mayAskAgain = page.hops.length > 0 && page.hops.at(-1)?.status !== 429;
  if (mayAskAgain) await context.burst.pause(context.signal);
  const end = <T>(question: Question<T>): Promise<T> =>
    mayAskAgain ? question.settle(isLate) : question.first;
  const [foreign, robots, notFound, plainHttp, twin, sitemap, legacyTls, alpn, lastHost] =
    await Promise.all([
      end(two.cors),
      end(one.robots),
      end(two.notFound),
      end(one.plainHttp),
      end(one.twin),
      end(one.sitemap),
      one.legacyTls,
      one.alpn,
      two.lastHost,
    ]);
  const missed = robots.sitemap && {
    ...SKIPPED,
    url: redactUrl(robots.sitemap),
    valid: null,
    origins: [],
  };
  return {
    page,
    cors: foreign.cors,
    drawnCookies: compareDrawnCookies(cookies, foreign.cookies, isKnownVisitor(context)),
    plainHttp,
    robots: {
      ...robots.robots,
      blocks: await askBlocks(context, robots, last.url),
      closedFiles: await askClosedFiles(context, robots, last.url, sampled),
    },
    sitemap: sitemap ?? missed,
    notFound: { ...notFound.notFound, repeatsPage: isRepeated(named.words, notFound) },
    twin,
    legacyTls,
    alpn,
    lastHost,
    assets: (await Promise.all(two.assets.map(end))).filter((answer) => answer !== null),
    cardImages: (await Promise.all(two.cardImages.map(end))).filter((answer) => answer !== null),
    sourceMap: await sourceMap,
    links: (await Promise.all(two.links.map(end))).filter((answer) => answer !== null),
    firstBytes: [
      { of: "page" as const, ms: page.timings.firstByteMs },
      { of: "robots" as const, ms: robots.firstByteMs },
      { of: "notFound" as const, ms: notFound.firstByteMs },
    ].flatMap(({ of, ms }) => (ms === null ? [] : { of, ms })),
  };
}

/** If a site refuses the check, nothing that its refusal page refers to is requested. */
const NOTHING_NAMED = { assets: [], links: [], cardImages: [] };

/** Whether redirects led to an answer from another host, even a refusal. */
function hasMoved({ failure, stop }: RedirectChain, last: Target, first: Target): boolean {
  return !failure && !stop && last.url.host !== first.url.host;
}

async function probeLastHost(context: ProbeContext, last: Target): Promise<Evidence["lastHost"]> {
  const [legacyTls, alpn] = await Promise.all([
    probeLegacyTls(context, last),
    probeAlpn(context, last),
  ]);
  return { legacyTls, alpn };
}

/** Whether a path that does not exist shows the same words as the page; null if it shows none. */
function isRepeated(pageWords: string | null, { words }: NotFoundReading): boolean | null {
  return words === null ? null : words === pageWords;
}

function isTurnedAway({ hops }: RedirectChain): boolean {
  return GATEKEEPER_STATUSES.includes(hops.at(-1)?.status ?? 0);
}

/** Whether redirects led to an answer that is not a refusal. A foreign origin would read that answer. */
function isLedOn(page: RedirectChain): boolean {
  return page.hops.length > 1 && !page.failure && !page.stop && !isTurnedAway(page);
}

function openFirstWave(context: ProbeContext, target: Target, httpPort: number | undefined) {
  const plainUrl = findPlainUrl(target, httpPort);
  const twinUrl = findTwinUrl(target);
  const unlikely = planNotFound();
  const reading = readPage(context, target);
  const cors = requestForeign(context, target);
  const robots = sendQuestion(
    () => askRobots(context, target),
    (read, isPatient) => isUnsettled(read.robots, isPatient),
  );
  const notFound = requestNotFound(context, target, unlikely);
  const legacyTls = probeLegacyTls(context, target);
  const plainHttp = sendQuestion(
    async () => plainUrl && askPlainHttp(context, plainUrl),
    isChainUnsettled,
  );
  const twin = sendQuestion(async () => twinUrl && askTwin(context, twinUrl), isChainUnsettled);
  const alpn = probeAlpn(context, target);
  const sitemap = requestSitemap(context, robots.first);
  const asked = { cors, robots, notFound, plainHttp, twin, sitemap };
  return { reading, unlikely, legacyTls, alpn, ...asked, questions: Object.values(asked) };
}

function requestNotFound(
  context: ProbeContext,
  origin: Target,
  path: string,
): Question<NotFoundReading> {
  return sendQuestion(
    () => askNotFound(context, origin, path),
    (read, isPatient) => isUnsettled(read.notFound, isPatient),
  );
}

function requestForeign(context: ProbeContext, target: Target): Question<ForeignReading> {
  return sendQuestion(
    () => askForeign(context, target),
    ({ cors }, isPatient) => isUnsettled(cors, isPatient),
  );
}

/** Whether the caller's own headers may identify the visitor. */
function isKnownVisitor({ own }: ProbeContext): boolean {
  return Object.keys(own.headers).length > 0;
}

/** The request for R4 is reserved until robots.txt has been read, so that no sample takes it. */
function requestSitemap(context: ProbeContext, robots: Promise<{ sitemap: URL | null }>) {
  const reserve = context.budget.reserve(1);
  return sendQuestion(async () => {
    const { sitemap } = await robots;
    const take = () => reserve.take() || context.budget.take();
    try {
      return sitemap && (await askSitemap(context, sitemap, take));
    } finally {
      reserve.release();
    }
  }, isUnsettled);
}

/**
 * `isPatient`: the page itself answered only the second request, so requests that timed out are also worth a second
 * one.
 */
function isUnsettled(answer: Answer | null, isPatient: boolean): boolean {
  if (answer === null) return false;
  return answer.skipped || isWorthAnother(answer) || (isPatient && isTooLate(answer));
}

type Walked = (RedirectChain & { skipped: boolean; closed?: boolean }) | null;

function isChainUnsettled(chain: Walked, isPatient: boolean): boolean {
  if (chain === null || chain.closed || chain.stop) return false;
  const { failure, skipped } = chain;
  const { status = null, headers = [] } = chain.hops.at(-1) ?? {};
  return isUnsettled({ status, headers, failure, skipped }, isPatient);
}

function isTooLate({ failure }: Answer): boolean {
  return failure?.phase === "deadline";
}
