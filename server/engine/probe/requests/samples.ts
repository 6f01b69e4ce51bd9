import { ACCEPT_ANY, ACCEPT_PAGE, answerOf, refusedAnswer, SKIPPED } from "./answer.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import type { Answer } from "../../evidence/exchange.ts";
import { type Ask, fetchOnce } from "../../net/fetch.ts";
import { type AssetCandidate, isVitalKind, type LinkCandidate } from "../body/html-references.ts";
import { MAX_ASSETS, MAX_LINKS } from "../../../base/bounds.ts";
import { redactUrl } from "../privacy/redact.ts";
import { findReferer, findReferrerPolicy } from "../../evidence/referrer.ts";
import { LIMIT_STATUSES } from "../../../base/syntax/statuses.ts";
import type { ProbeContext } from "./context.ts";

/** Statuses that GET would get as well as HEAD: logins, and limits that another request would only exhaust further. */
const OF_BOTH: readonly (number | null)[] = [401, ...LIMIT_STATUSES];

type Asset = Evidence["assets"][number];
type Link = Evidence["links"][number];

/** The first `MAX_ASSETS` in document order, scripts and styles first. */
export function sampleAssets(candidates: readonly AssetCandidate[]): AssetCandidate[] {
  const isFirst = ({ kind }: AssetCandidate): boolean => isVitalKind(kind);
  const others = candidates.filter((candidate) => !isFirst(candidate));
  return [...candidates.filter(isFirst), ...others].slice(0, MAX_ASSETS);
}

/** The first `MAX_LINKS` on the page's own host. */
export function sampleLinks(candidates: readonly LinkCandidate[], page: URL): LinkCandidate[] {
  return candidates.filter(({ url }) => url.host === page.host).slice(0, MAX_LINKS);
}

/** The page that refers to the samples: its URL and its referrer policy. */
export interface Referring {
  url: URL;
  policy: string | undefined;
}

/** R7; null if no request was left for it. */
export async function askAsset(
  context: ProbeContext,
  page: Referring,
  { url, kind, tag, line, isCors, referrerPolicy }: AssetCandidate,
): Promise<Asset | null> {
  context.secrets.noteFile(url);
  const sample = { url: redactUrl(url), kind, tag, line };
  const policy = findReferrerPolicy([referrerPolicy ?? ""]) ?? page.policy;
  const isOriginSent = isCors && url.origin !== page.url.origin;
  const headers = {
    ...sendReferer(page.url, url, policy),
    ...(isOriginSent && { origin: page.url.origin }),
  };
  const answer = await askSample(context, url, { accept: ACCEPT_ANY, maxBytes: 0, headers });
  return answer && { ...answer, ...sample };
}

/** R8: HEAD, then GET if the method may be at fault. Null if no request was left for it. */
export async function askLink(
  context: ProbeContext,
  page: Referring,
  { url, line }: LinkCandidate,
): Promise<Link | null> {
  const sample = { url: redactUrl(url), line };
  const headers = sendReferer(page.url, url, page.policy);
  const ask = { accept: ACCEPT_PAGE, maxBytes: 0, headers };
  const head = await askSample(context, url, { ...ask, method: "HEAD" });
  if (head === null || !isHeadRefused(head)) return head && { ...head, ...sample, method: "HEAD" };
  const answer = await askSample(context, url, ask);
  if (!answer && (head.status === 404 || head.status === 410))
    return { ...head, ...sample, method: "HEAD" };
  return { ...(answer ?? SKIPPED), ...sample, method: "GET" };
}

function sendReferer(from: URL, to: URL, policy: string | undefined): Record<string, string> {
  const referer = findReferer(from, to, policy);
  return referer === undefined ? {} : { referer };
}

/** Whether GET may succeed where HEAD failed: some routers know no HEAD, and some handlers break on it. */
function isHeadRefused({ status, failure }: Answer): boolean {
  if (status === null) return failure?.phase === "response";
  return status >= 400 && !OF_BOTH.includes(status);
}

async function askSample(context: ProbeContext, url: URL, ask: Ask) {
  const isTaken = await context.budget.take();
  if (!isTaken) return null;
  if (context.signal.aborted) return SKIPPED;
  const vetting = await context.guard.vet(url.href);
  if (!vetting.ok) return refusedAnswer(vetting);
  return answerOf(await fetchOnce(context, vetting.target, ask));
}
