import { createHash } from "node:crypto";
import type { FileFacts } from "../evidence/html.ts";
import { findStrongest, normalizeHash } from "../evidence/source-hash.ts";
import { type Content, isGzip } from "../net/content.ts";
import { Slice } from "../net/slice.ts";
import { redactUrl } from "./privacy/redact.ts";
import {
  addsCode,
  findDevelopmentBuild,
  findPrivateUrls,
  writesViewport,
} from "./body/script-text.ts";
import { findPlainCalls } from "./body/plain-calls.ts";
import { findPlainUrls } from "./body/style-text.ts";
import { findCredentialsIn } from "./body/credentials-in.ts";
import {
  ACCEPT_ANY,
  ACCEPT_PAGE,
  answerOf,
  refusedAnswer,
  SKIPPED,
  type TakeRequest,
} from "./answer.ts";
import { openJar } from "./cookies.ts";
import type { Asset, Evidence } from "../evidence/evidence.ts";
import type { Answer, Failure } from "../evidence/exchange.ts";
import {
  type Exchange,
  type RequestOptions,
  fetchOnce,
  findList,
  findLocation,
  type ReceivedAnswer,
} from "../net/fetch.ts";
import { type AssetCandidate, isVitalKind, type LinkCandidate } from "./body/html-references.ts";
import { MAX_ASSETS, MAX_REDIRECTS, MAX_FILE_BYTES, MAX_LINKS } from "../../base/bounds.ts";
import { areOfOneDomain } from "../../base/syntax/host-pattern.ts";
import { extractMediaType, HTML_TYPE } from "../../base/syntax/media-type.ts";
import { findReferer, findReferrerPolicy } from "../evidence/referrer.ts";
import { LIMIT_STATUSES } from "../../base/syntax/http.ts";
import { headerValues } from "../evidence/accessors.ts";
import { findUrl } from "../../base/syntax/url.ts";
import { dropPageHeaders, SAMPLE_HEADER_BYTES } from "./headers.ts";
import type { NamedFiles } from "./named-files.ts";
import type { VisitContext } from "./context.ts";

const MAX_MAP_LENGTH = 500;
const SOURCE_MAP = /(?:\/\/|\/\*)[#@] ?sourceMappingURL=([^\s*'"]{1,400})/;

interface FileInput extends Pick<Content, "bytes" | "wireBytes" | "state" | "oddities"> {
  integrity: string | null;
  /** Browsers read it as text. */
  isCode: boolean;
  isStyle: boolean;
  /** Other sites' files are not searched. */
  isOwn: boolean;
  readShown: () => string;
  signal: AbortSignal;
}

export async function readFile(input: FileInput): Promise<FileFacts | null> {
  const { bytes, wireBytes, state, oddities } = input;
  const { integrity, isCode, isOwn, isStyle, readShown, signal } = input;
  if (state === "unsupported") return null;
  const slice = new Slice(signal);
  const isWhole = state === "whole";
  // All that is searched for is ASCII, and a text of one byte per character is searched faster.
  const text = isOwn ? bytes.toString("latin1") : "";
  return {
    isWhole,
    isBroken:
      state === "cut_short" ||
      state === "undecodable" ||
      oddities.includes("break") ||
      (isCode && isGzip(bytes)),
    wireBytes,
    integrityMatches: isWhole ? compareDigest(bytes, integrity) : null,
    credentials: await findCredentialsIn(text, readShown, slice),
    privateUrls: isStyle ? [] : await findPrivateUrls(text, slice),
    plainUrls: isStyle ? await findPlainUrls(text, slice) : [],
    plainCalls: isStyle ? [] : await findPlainCalls(text, slice),
    developmentBuild: isStyle ? null : findDevelopmentBuild(text),
    writesViewport: !isStyle && writesViewport(text),
    addsCode: !isStyle && (!isOwn || addsCode(text)),
    sourceMap: isWhole ? findSourceMap(text) : null,
  };
}

function findSourceMap(text: string): string | null {
  const [, map = ""] = SOURCE_MAP.exec(text.slice(-MAX_MAP_LENGTH)) ?? [];
  return map === "" || map.startsWith("data:") ? null : redactUrl(map);
}

function compareDigest(bytes: Buffer, integrity: string | null): boolean | null {
  const [algorithm, digests] = findStrongest(integrity) ?? [];
  if (!algorithm || !digests) return null;
  const own = createHash(algorithm).update(bytes).digest("base64");
  return digests.includes(normalizeHash(algorithm, own));
}

/** GET would get these statuses too, and another request would only exhaust a rate limit further. */
const OF_BOTH: readonly (number | null)[] = [401, ...LIMIT_STATUSES];

const CODE_KINDS: readonly string[] = ["script", "module", "style"];
const TEXT_TAGS = ["script", "link"];
const TEXT_KINDS: readonly string[] = ["script", "module", "style", "other"];

type Link = Evidence["links"][number];

/** FNV-1a. It spreads the sample over the site, and keeps it when other candidates come or go. */
function hashPath({ pathname, search }: URL): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(pathname + search)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** One more candidate displaces at most one of the sample. The sample keeps the order of the candidates. */
function sample<T extends { url: URL }>(
  candidates: readonly T[],
  max: number,
  rankOf: (candidate: T) => number = () => 0,
): T[] {
  const ranked = candidates.map((candidate) => ({
    candidate,
    rank: rankOf(candidate),
    hash: hashPath(candidate.url),
  }));
  const chosen = ranked
    .toSorted((one, other) => one.rank - other.rank || one.hash - other.hash)
    .slice(0, max);
  const isChosen = new Set(chosen.map(({ candidate }) => candidate));
  return candidates.filter((candidate) => isChosen.has(candidate));
}

function rankAsset({ kind, load }: AssetCandidate): number {
  if (isVitalKind(kind)) return 0;
  if (kind === "frame") return 1;
  return load === "variant" ? 3 : 2;
}

export function sampleAssets(candidates: readonly AssetCandidate[]): AssetCandidate[] {
  const sampled = sample(candidates, MAX_ASSETS, rankAsset);
  return sampled.toSorted((one, other) => rankAsset(one) - rankAsset(other));
}

const NAMED_RANKS: readonly AssetCandidate["kind"][] = ["style", "font", "image", "icon"];

export function sampleNamed(candidates: readonly AssetCandidate[], max: number): AssetCandidate[] {
  return sample(candidates, max, ({ kind }) => NAMED_RANKS.indexOf(kind));
}

export function sampleLinks(candidates: readonly LinkCandidate[]): LinkCandidate[] {
  return sample(candidates, MAX_LINKS);
}

export interface ReferringPage {
  url: URL;
  policy: string | undefined;
  readShown: () => string;
  files: NamedFiles;
}

/** R7. Null if no request was left. Only files that the site serves, or that have an integrity, are read. */
export async function fetchAsset(
  context: VisitContext,
  page: ReferringPage,
  candidate: AssetCandidate,
  take?: TakeRequest,
): Promise<Asset | null> {
  const { url, kind, tag, line, load, in: naming, isCors, referrerPolicy, integrity } = candidate;
  context.secrets.noteFile(url);
  const isOwn = areOfOneDomain(url.hostname, page.url.hostname);
  const isManifest = kind === "manifest";
  const isText = TEXT_TAGS.includes(tag) && (isManifest || TEXT_KINDS.includes(kind));
  const room = isText && (isOwn || integrity) ? context.room.request(MAX_FILE_BYTES) : null;
  const policy = findReferrerPolicy([referrerPolicy ?? ""]) ?? page.policy;
  const planRequest = (target: URL): RequestOptions => ({
    accept: kind === "frame" ? ACCEPT_PAGE : ACCEPT_ANY,
    maxBytes: 0,
    headers: {
      ...sendReferer(page.url, target, policy),
      ...(isCors && target.origin !== page.url.origin && { origin: page.url.origin }),
    },
  });
  const options: RequestOptions = {
    ...planRequest(url),
    maxBytes: room ? MAX_FILE_BYTES : 0,
    findLimit: async (received) => (room && isServed(received) ? room.granted : 0),
  };
  const sent = await fetchSample(context, url, options, take);
  room?.release(sent?.content?.bytes.length ?? 0);
  if (!sent) return null;
  const { received } = sent.exchange ?? {};
  const isRedirect = received && !sent.answer.failure && findLocation(received) !== undefined;
  const deadEnd = isRedirect ? await findDeadEnd(context, url, planRequest) : null;
  const { readShown } = page;
  const [type = ""] = headerValues(sent.answer.headers, "content-type");
  const isStyle = kind === "style" || extractMediaType(type)?.essence === "text/css";
  const isCode = CODE_KINDS.includes(kind);
  const input = { integrity, isCode, isOwn, isStyle, readShown, signal: context.signal };
  const { content } = sent;
  if (isOwn && content && (isManifest || kind === "style"))
    await page.files.read(candidate, content.bytes.toString("utf8"), new Slice(context.signal));
  const file = isManifest ? null : content && (await readFile({ ...content, ...input }));
  const answer = deadEnd ?? sent.answer;
  return { ...answer, url: redactUrl(url), kind, tag, line, in: naming, load, file };
}

/** Some servers send a page in place of a missing file. */
function isServed({ status, rawHeaders }: ReceivedAnswer): boolean {
  const type = extractMediaType(findList(rawHeaders, "content-type") ?? "");
  return status >= 200 && status < 300 && type?.essence !== HTML_TYPE;
}

/**
 * R8: HEAD, also of the URLs that it redirects to on its origin, then GET if HEAD may be at fault. Null if no request
 * was left for the first.
 */
export async function fetchLink(
  context: VisitContext,
  page: ReferringPage,
  { url, line }: LinkCandidate,
  take: TakeRequest = () => context.budget.take(),
): Promise<Link | null> {
  const sampled = { url: redactUrl(url), line };
  const headers = sendReferer(page.url, url, page.policy);
  const options = { accept: ACCEPT_PAGE, maxBytes: 0, headers };
  const {
    answer: head,
    last,
    isEndless,
  } = await walkRedirects(context, url, {
    planRequest: () => ({ ...options, method: "HEAD" }),
    take,
    maxRedirects: MAX_REDIRECTS,
    isFollowed: (target) => target.origin === url.origin,
  });
  if (!head || isEndless || !isHeadRefused(head))
    return head && { ...head, ...sampled, method: "HEAD", isEndless };
  const answer = (await fetchSample(context, last, options))?.answer;
  if (!answer && (head.status === 404 || head.status === 410))
    return { ...head, ...sampled, method: "HEAD", isEndless };
  return { ...(answer ?? SKIPPED), ...sampled, method: "GET", isEndless };
}

interface Redirects {
  planRequest: (target: URL) => RequestOptions;
  /** Takes the first request from the budget. */
  take?: TakeRequest;
  maxRedirects: number;
  isFollowed: (target: URL) => boolean;
}

interface SampleWalk {
  /** The last answer. Null if no request was left for the first. */
  answer: Answer | null;
  last: URL;
  isEndless: boolean;
}

/** Follows redirects with their cookies, as browsers do, as long as requests are left. */
async function walkRedirects(
  context: VisitContext,
  url: URL,
  { planRequest, take, maxRedirects, isFollowed }: Redirects,
): Promise<SampleWalk> {
  const jar = openJar();
  const requested = new Set<string>();
  const walk: SampleWalk = { answer: null, last: url, isEndless: false };
  for (let next: URL | undefined = url; next;) {
    const to: URL = next;
    const sending = `${to.href}\n${jar.cookiesFor(to, true)}`;
    if (requested.has(sending) || requested.size > maxRedirects)
      return { ...walk, isEndless: true };
    requested.add(sending);
    const options = {
      ...planRequest(to),
      cookiesFor: (isTrusted: boolean) => jar.cookiesFor(to, isTrusted),
    };
    const sent = await fetchSample(context, to, options, requested.size === 1 ? take : undefined);
    if (!sent || (walk.answer && sent.answer.skipped)) return walk;
    Object.assign(walk, { answer: sent.answer, last: to });
    const { received, failure, trusted } = sent.exchange ?? {};
    if (!received || failure) return walk;
    jar.note(to, received.rawHeaders, trusted === true);
    const location = findLocation(received);
    const target = location === undefined ? undefined : findUrl(location, to);
    next = target && isFollowed(target) ? withoutFragment(target) : undefined;
  }
  return walk;
}

/** Chromium follows this many redirects to a file; the next one is an error. */
const MAX_FILE_REDIRECTS = 20;
const TOO_MANY: Failure = {
  phase: "response",
  code: "ERR_TOO_MANY_REDIRECTS",
  detail: "the redirects do not end",
};

/** Where a file's redirects end in an error, that counts in place of the first redirect. */
async function findDeadEnd(
  context: VisitContext,
  url: URL,
  planRequest: Redirects["planRequest"],
): Promise<Answer | null> {
  const { answer, isEndless } = await walkRedirects(context, url, {
    planRequest,
    maxRedirects: MAX_FILE_REDIRECTS,
    isFollowed: ({ protocol }) => protocol === "https:",
  });
  if (isEndless) return { ...SKIPPED, skipped: false, failure: TOO_MANY };
  const { status = null, failure = null } = answer ?? {};
  const isDead = failure !== null || status === 404 || status === 410 || (status ?? 0) >= 500;
  return isDead ? answer : null;
}

function withoutFragment(url: URL): URL {
  const sent = new URL(url);
  sent.hash = "";
  return sent;
}

export function sendReferer(
  from: URL,
  to: URL,
  policy: string | undefined,
): Record<string, string> {
  const referer = findReferer(from, to, policy);
  return referer === undefined ? {} : { referer };
}

/** Some routers do not know HEAD, and some handlers break on it. */
function isHeadRefused({ status, failure }: Answer): boolean {
  if (status === null) return failure?.phase === "response";
  return status >= 400 && !OF_BOTH.includes(status);
}

interface Sent {
  answer: Answer;
  content: Content | null;
  exchange?: Exchange;
}

export async function fetchSample(
  context: VisitContext,
  url: URL,
  options: RequestOptions,
  take: TakeRequest = () => context.budget.take(),
): Promise<Sent | null> {
  const isTaken = await take();
  if (!isTaken) return null;
  if (context.signal.aborted) return { answer: SKIPPED, content: null };
  const vetting = await context.guard.vet(url.href);
  if (!vetting.ok) return { answer: refusedAnswer(vetting), content: null };
  const exchange = await fetchOnce(context, vetting.target, options);
  const { received } = exchange;
  const rawHeaders = dropPageHeaders(received?.rawHeaders ?? []);
  const kept = { ...exchange, received: received && { ...received, rawHeaders } };
  return {
    answer: answerOf(kept, SAMPLE_HEADER_BYTES),
    content: exchange.received?.content ?? null,
    exchange,
  };
}

/** R12. Null if no source map is declared, or no request was left. */
export async function fetchSourceMap(
  context: VisitContext,
  assets: readonly (Evidence["assets"][number] | null)[],
): Promise<Evidence["sourceMap"]> {
  const [first] = assets.flatMap((asset) => (asset?.file?.sourceMap ? [asset] : []));
  const url = first && findUrl(first.file?.sourceMap ?? "", findUrl(first.url));
  if (url?.protocol !== "https:") return null;
  const sent = await fetchSample(context, url, { method: "HEAD", accept: ACCEPT_ANY, maxBytes: 0 });
  return sent && { ...sent.answer, url: redactUrl(url), file: first?.url ?? "" };
}
