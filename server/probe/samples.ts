import { ACCEPT_ANY, ACCEPT_PAGE, answerOf, refusedAnswer, SKIPPED } from "./answer.ts";
import type { Evidence } from "./evidence.ts";
import { type Ask, fetchOnce } from "./fetch.ts";
import { type AssetCandidate, isVitalKind, type LinkCandidate } from "./html-references.ts";
import { redactUrl } from "./redact.ts";
import type { Session } from "./session.ts";

const MAX_ASSETS = 12;
const MAX_LINKS = 8;
/** Answers of servers that may know the page and not the method: routers of GET alone answer 404. */
const HEAD_REFUSED: readonly number[] = [403, 404, 405, 501];

type Asset = Evidence["assets"][number];
type Link = Evidence["links"][number];

/** The first 12 in document order, scripts and styles before the rest. */
export function sampleAssets(candidates: readonly AssetCandidate[]): AssetCandidate[] {
  const isFirst = ({ kind }: AssetCandidate): boolean => isVitalKind(kind);
  const others = candidates.filter((candidate) => !isFirst(candidate));
  return [...candidates.filter(isFirst), ...others].slice(0, MAX_ASSETS);
}

/** The first 8 on the page's own host. */
export function sampleLinks(candidates: readonly LinkCandidate[], page: URL): LinkCandidate[] {
  return candidates.filter(({ url }) => url.host === page.host).slice(0, MAX_LINKS);
}

/** R7. Null when no request was left for it. */
export async function askAsset(
  session: Session,
  { url, kind, tag, line }: AssetCandidate,
): Promise<Asset | null> {
  const sample = { url: redactUrl(url), kind, tag, line };
  const answer = await askSample(session, url, { accept: ACCEPT_ANY, maxBytes: 0 });
  return answer && { ...answer, ...sample };
}

/** R8: HEAD, then GET where that may have been the method's fault. Null when no request was left for it. */
export async function askLink(
  session: Session,
  { url, line }: LinkCandidate,
): Promise<Link | null> {
  const sample = { url: redactUrl(url), line };
  const ask = { accept: ACCEPT_PAGE, maxBytes: 0 };
  const head = await askSample(session, url, { ...ask, method: "HEAD" });
  if (!head?.status || !HEAD_REFUSED.includes(head.status))
    return head && { ...head, ...sample, method: "HEAD" };
  const answer = await askSample(session, url, ask);
  if (!answer && head.status === 404) return { ...head, ...sample, method: "HEAD" };
  return { ...(answer ?? SKIPPED), ...sample, method: "GET" };
}

async function askSample(session: Session, url: URL, ask: Ask) {
  const isTaken = await session.budget.take();
  if (!isTaken) return null;
  if (session.signal.aborted) return SKIPPED;
  const vetting = await session.guard.vet(url.href);
  if (!vetting.ok) return refusedAnswer(vetting);
  return answerOf(await fetchOnce(session, vetting.target, ask));
}
