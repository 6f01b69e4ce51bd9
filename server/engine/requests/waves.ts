import { MAX_NAMED_FILES, MIN_LINK_REQUESTS } from "../../base/bounds.ts";
import { SKIPPED } from "./answer.ts";
import { isWorthRepeating, type VisitContext } from "./context.ts";
import { compareDrawnCookies } from "./cookies.ts";
import type { Asset, Evidence } from "../evidence/evidence.ts";
import type { Answer, RedirectChain } from "../evidence/exchange.ts";
import type { Target } from "../net/guard.ts";
import { probeAlpn, probeLegacyTls, repeatStaples } from "./handshakes.ts";
import { choosePreviousFiles, fetchPreviousFile } from "./previous-files.ts";
import { fetchNotFound, type NotFoundReading, planNotFound } from "./not-found.ts";
import { readPage } from "./page.ts";
import { redactUrl } from "./privacy/redact.ts";
import { findRequestPolicy } from "../evidence/referrer.ts";
import {
  fetchAsset,
  fetchLink,
  fetchSourceMap,
  type ReferringPage,
  sampleAssets,
  sampleLinks,
  sampleNamed,
} from "./samples.ts";
import { NamedFiles } from "./named-files.ts";
import type { AssetCandidate } from "./body/html-references.ts";
import { BoundedList } from "../evidence/bounded-list.ts";
import { Slice } from "../net/slice.ts";
import { fetchCardImage } from "./card-images.ts";
import { fetchMissingFile } from "./missing-file.ts";
import {
  type ForeignReading,
  findRobotsBlocks,
  findDisallowedFiles,
  fetchForeign,
  fetchRobots,
  fetchSitemap,
} from "./side-requests.ts";
import { GATEKEEPER_STATUSES } from "../../base/syntax/http.ts";
import { fetchPlainHttp, fetchTwin, findPlainUrl, findTwinUrl } from "./variants.ts";

/** If its answer settles nothing, it is sent once more in the last wave. */
interface RepeatableRequest<T> {
  first: Promise<T>;
  /** `isPatient`: also repeats a request that timed out. */
  settle(isPatient: boolean): Promise<T>;
}

function sendRepeatable<T>(
  send: () => Promise<T>,
  isOpen: (answer: T, isPatient: boolean) => boolean,
): RepeatableRequest<T> {
  const first = send();
  return {
    first,
    async settle(isPatient) {
      const answer = await first;
      if (!isOpen(answer, isPatient)) return answer;
      const again = await send();
      return again === null || isOpen(again, isPatient) ? answer : again;
    },
  };
}

export type VisitResults = Omit<
  Evidence,
  "version" | "url" | "preview" | "checkedAt" | "durationMs" | "stalledMs" | "dns" | "oddAnswers"
>;

/** Wave 1 needs only the URL; wave 2 follows from page and robots.txt; wave 3 repeats requests that settled nothing. */
export async function runWaves(
  context: VisitContext,
  target: Target,
  {
    httpPort,
    previousFiles = [],
  }: { httpPort?: number | undefined; previousFiles?: readonly string[] },
): Promise<VisitResults> {
  const one = openFirstWave(context, target, httpPort);
  const { page, end: last, isLate, cookies, readShown, styles, ...named } = await one.reading;
  const staples = repeatStaples(context, page, [target, last]);
  const { assets, links, cardImages } = isRefused(page) ? NOTHING_NAMED : named;
  const sampled = sampleAssets(assets);
  const files = new NamedFiles(isRefused(page) ? null : styles);
  files.expect(sampled);
  const from = { url: last.url, policy: findRequestPolicy(page), readShown, files };
  const sampledLinks = sampleLinks(links);
  const kept = sampledLinks.slice(0, MIN_LINK_REQUESTS).map(() => context.budget.take());
  const isElsewhere = wasRedirected(page) && last.url.origin !== target.url.origin;
  const fetched = sampled.map((each) =>
    sendRepeatable(() => fetchAsset(context, from, each), isUnsettled),
  );
  const naming = sampled.flatMap(({ kind }, index) =>
    kind === "style" || kind === "manifest" ? (fetched[index]?.first ?? []) : [],
  );
  const namedFiles = requestNamed(context, from, { naming, known: assets });
  const takeForLink = () => kept.shift() ?? namedFiles.then(() => context.budget.take());
  const two = {
    lastHost: hasMoved(page, last, target) ? probeLastHost(context, last) : null,
    notFound: isElsewhere ? requestNotFound(context, last, one.unlikely) : one.notFound,
    cors: wasRedirected(page) ? requestForeign(context, last) : one.cors,
    missingFile: sendRepeatable(() => fetchMissingFile(context, last, from, sampled), isUnsettled),
    assets: fetched,
    cardImages: cardImages.map((each) =>
      sendRepeatable(() => fetchCardImage(context, each), isUnsettled),
    ),
    previousFiles: choosePreviousFiles(previousFiles, page.body?.html).map((url) =>
      sendRepeatable(() => fetchPreviousFile(context, url), isUnsettled),
    ),
    links: sampledLinks.map((each) =>
      sendRepeatable(() => fetchLink(context, from, each, takeForLink), isUnsettled),
    ),
  };
  const samples = [...two.assets, ...two.cardImages, ...two.previousFiles, ...two.links];
  const sent = [...one.repeatable, two.notFound, two.cors, two.missingFile, ...samples];
  await Promise.all([...sent.map(({ first }) => first), namedFiles.then(awaitFirst)]);
  const sourceMap = fetchSourceMap(
    context,
    await Promise.all(two.assets.map(({ first }) => first)),
  );

  const styleFiles = await namedFiles;
  const mayRepeat = page.hops.length > 0 && page.hops.at(-1)?.status !== 429;
  if (mayRepeat) await context.burst.pause(context.signal);
  const end = <T>(request: RepeatableRequest<T>): Promise<T> =>
    mayRepeat ? request.settle(isLate) : request.first;
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
      staples,
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
      blocks: await findRobotsBlocks(context, robots, last.url),
      closedFiles: await findDisallowedFiles(context, robots, last.url, sampled),
    },
    sitemap: sitemap ?? missed,
    notFound: { ...notFound.notFound, repeatsPage: isRepeated(named.words, notFound) },
    missingFile: await end(two.missingFile),
    twin,
    legacyTls,
    alpn,
    lastHost,
    assets: keepWithin(
      MAX_ASSET_BYTES,
      await Promise.all([...two.assets, ...styleFiles.requests].map(end)),
    ),
    assetCount: assets.length + styleFiles.count,
    cardImages: (await Promise.all(two.cardImages.map(end))).filter((answer) => answer !== null),
    sourceMap: await sourceMap,
    previousFiles: (await Promise.all(two.previousFiles.map(end))).filter(
      (answer) => answer !== null,
    ),
    links: keepWithin(MAX_LINK_BYTES, await Promise.all(two.links.map(end))),
    linkCount: links.length,
    firstBytes: [
      { of: "page" as const, ms: page.timings.firstByteMs },
      { of: "robots" as const, ms: robots.firstByteMs },
      { of: "notFound" as const, ms: notFound.firstByteMs },
    ].flatMap(({ of, ms }) => (ms === null ? [] : { of, ms })),
  };
}

/** In JSON bytes. The first answers, which matter most, are kept; the others count as not tested. */
const MAX_ASSET_BYTES = 32_768;
const MAX_LINK_BYTES = 10_240;

function keepWithin<T>(maxBytes: number, answers: readonly (T | null)[]): T[] {
  const kept = new BoundedList<T>(maxBytes, answers.length);
  for (const answer of answers) if (answer !== null) kept.offer(() => answer);
  return kept.items;
}

interface Named {
  requests: RepeatableRequest<Asset | null>[];
  count: number;
}

const awaitFirst = ({ requests }: Named) => Promise.all(requests.map(({ first }) => first));

/** Requests the files that style sheets and the manifest name: imports first, because they name further files. */
async function requestNamed(
  context: VisitContext,
  from: ReferringPage,
  { naming, known }: { naming: readonly Promise<unknown>[]; known: readonly AssetCandidate[] },
): Promise<Named> {
  const requested = new Set(known.map(({ url }) => url.href));
  const found = new Set<string>();
  const requests: Named["requests"] = [];

  function sendNew(candidates: readonly AssetCandidate[]): boolean {
    const others = candidates.filter(({ url }) => !requested.has(url.href));
    for (const { url } of others) found.add(url.href);
    const distinct = new Map(others.map((each) => [each.url.href, each]));
    const sent = sampleNamed([...distinct.values()], MAX_NAMED_FILES - requests.length);
    from.files.expect(sent);
    for (const each of sent) {
      requested.add(each.url.href);
      requests.push(sendRepeatable(() => fetchAsset(context, from, each), isUnsettled));
    }
    return sent.length > 0;
  }

  await from.files.readInline(new Slice(context.signal));
  await Promise.all(naming);
  while (sendNew(from.files.imports)) await Promise.all(requests.map(({ first }) => first));
  sendNew(from.files.others);
  return { requests, count: found.size };
}

/** If a site refuses the check, nothing that its refusal page refers to is requested. */
const NOTHING_NAMED = { assets: [], links: [], cardImages: [] };

function hasMoved({ failure, stop }: RedirectChain, last: Target, first: Target): boolean {
  return !failure && !stop && last.url.host !== first.url.host;
}

async function probeLastHost(context: VisitContext, last: Target): Promise<Evidence["lastHost"]> {
  const [legacyTls, alpn] = await Promise.all([
    probeLegacyTls(context, last),
    probeAlpn(context, last),
  ]);
  return { legacyTls, alpn };
}

function isRepeated(pageWords: string | null, { words }: NotFoundReading): boolean | null {
  return words === null ? null : words === pageWords;
}

function isRefused({ hops }: RedirectChain): boolean {
  return GATEKEEPER_STATUSES.includes(hops.at(-1)?.status ?? 0);
}

/** True if the redirects end at an answer that a foreign origin could read, and not at a refusal. */
function wasRedirected(page: RedirectChain): boolean {
  return page.hops.length > 1 && !page.failure && !page.stop && !isRefused(page);
}

function openFirstWave(context: VisitContext, target: Target, httpPort: number | undefined) {
  const plainUrl = findPlainUrl(target, httpPort);
  const twinUrl = findTwinUrl(target);
  const unlikely = planNotFound();
  const reading = readPage(context, target);
  const cors = requestForeign(context, target);
  const robots = sendRepeatable(
    () => fetchRobots(context, target),
    (read, isPatient) => isUnsettled(read.robots, isPatient),
  );
  const notFound = requestNotFound(context, target, unlikely);
  const legacyTls = probeLegacyTls(context, target);
  const plainHttp = sendRepeatable(
    async () => plainUrl && fetchPlainHttp(context, plainUrl),
    isChainUnsettled,
  );
  const twin = sendRepeatable(async () => twinUrl && fetchTwin(context, twinUrl), isChainUnsettled);
  const alpn = probeAlpn(context, target);
  const sitemap = requestSitemap(context, robots.first);
  const sent = { cors, robots, notFound, plainHttp, twin, sitemap };
  return { reading, unlikely, legacyTls, alpn, ...sent, repeatable: Object.values(sent) };
}

function requestNotFound(
  context: VisitContext,
  origin: Target,
  path: string,
): RepeatableRequest<NotFoundReading> {
  return sendRepeatable(
    () => fetchNotFound(context, origin, path),
    (read, isPatient) => isUnsettled(read.notFound, isPatient),
  );
}

function requestForeign(context: VisitContext, target: Target): RepeatableRequest<ForeignReading> {
  return sendRepeatable(
    () => fetchForeign(context, target),
    ({ cors }, isPatient) => isUnsettled(cors, isPatient),
  );
}

function isKnownVisitor({ own }: VisitContext): boolean {
  return Object.keys(own.headers).length > 0;
}

/** The request for R4 is reserved until robots.txt has been read, so that no sample takes it. */
function requestSitemap(context: VisitContext, robots: Promise<{ sitemap: URL | null }>) {
  const reserve = context.budget.reserve(1);
  return sendRepeatable(async () => {
    const { sitemap } = await robots;
    const take = () => reserve.take() || context.budget.take();
    try {
      return sitemap && (await fetchSitemap(context, sitemap, take));
    } finally {
      reserve.release();
    }
  }, isUnsettled);
}

/** `isPatient`: the page answered only the second request, so other late requests are worth a second one too. */
function isUnsettled(answer: Answer | null, isPatient: boolean): boolean {
  if (answer === null) return false;
  return answer.skipped || isWorthRepeating(answer) || (isPatient && isTooLate(answer));
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
