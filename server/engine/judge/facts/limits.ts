import type { Evidence } from "../../evidence/evidence.ts";
import type { Answer } from "../../evidence/exchange.ts";
import { findAnswer, urlOf } from "../../evidence/accessors.ts";
import { LIMIT_STATUSES } from "../../../base/syntax/http.ts";

/** Statuses that concern the client, not the page: too late, too early, too often, not in this country, no robots. */
const CLIENT_STATUSES: readonly (number | null)[] = [408, 425, 429, 451, 999];

interface SentRequest extends Pick<Answer, "status"> {
  readonly url: string;
}

/** Most of these requests are sent at about the same time. */
function listRequests(evidence: Evidence): SentRequest[] {
  const { url, plainHttp, robots, notFound, cors, sitemap, twin, assets, links } = evidence;
  const page = findAnswer(evidence);
  const chains = [page, plainHttp?.hops.at(-1), twin?.hops.at(-1)];
  const own = [{ ...cors, url: page?.url ?? url }, { ...robots, url }, notFound];
  return [...chains, ...own, sitemap, ...assets, ...links].flatMap((sent) => sent ?? []);
}

function hostOf({ url }: SentRequest): string {
  return urlOf(url).hostname;
}

function listOthers(evidence: Evidence, sent: SentRequest): SentRequest[] {
  const others = listRequests(evidence).filter((one) => hostOf(one) === hostOf(sent));
  return others.filter(({ url, status }) => url !== sent.url || status !== sent.status);
}

function isAnswered({ status }: SentRequest): boolean {
  return status !== null && status >= 200 && status < 300;
}

/** A 503 is a rate limit if the host answered another request. */
export function concernsClient(evidence: Evidence, sent: SentRequest): boolean {
  if (sent.status === 503) return listOthers(evidence, sent).some(isAnswered);
  return CLIENT_STATUSES.includes(sent.status);
}

/** For a file of the whole site, a 503 is a rate limit only if other requests were rate-limited too. */
export function isRateLimit(evidence: Evidence, sent: SentRequest): boolean {
  if (sent.status !== 503) return concernsClient(evidence, sent);
  const others = listOthers(evidence, sent);
  return others.some(isAnswered) && others.some(({ status }) => LIMIT_STATUSES.includes(status));
}
