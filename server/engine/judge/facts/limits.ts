import type { Evidence } from "../../evidence/evidence.ts";
import type { Answer } from "../../evidence/exchange.ts";
import { findAnswer, urlOf } from "../../evidence/accessors.ts";
import { LIMIT_STATUSES } from "../../../base/syntax/http.ts";

/**
 * Statuses that concern the client, not the page: too late, too early, too often, not in this country, or no robots.
 */
const OF_THE_ASKER: readonly (number | null)[] = [408, 425, 429, 451, 999];

interface Asked extends Pick<Answer, "status"> {
  readonly url: string;
}

/** The requests of the check, most of which are sent at about the same time. */
function listRequests(evidence: Evidence): Asked[] {
  const { url, plainHttp, robots, notFound, cors, sitemap, twin, assets, links } = evidence;
  const page = findAnswer(evidence);
  const chains = [page, plainHttp?.hops.at(-1), twin?.hops.at(-1)];
  const own = [{ ...cors, url: page?.url ?? url }, { ...robots, url }, notFound];
  return [...chains, ...own, sitemap, ...assets, ...links].flatMap((asked) => asked ?? []);
}

function hostOf({ url }: Asked): string {
  return urlOf(url).hostname;
}

function listOthers(evidence: Evidence, asked: Asked): Asked[] {
  const others = listRequests(evidence).filter((one) => hostOf(one) === hostOf(asked));
  return others.filter(({ url, status }) => url !== asked.url || status !== asked.status);
}

function isAnswered({ status }: Asked): boolean {
  return status !== null && status >= 200 && status < 300;
}

/**
 * Whether an answer concerns only the checking client. A 503 counts as a rate limit if the same host answered another
 * request.
 */
export function isOfAsker(evidence: Evidence, asked: Asked): boolean {
  if (asked.status === 503) return listOthers(evidence, asked).some(isAnswered);
  return OF_THE_ASKER.includes(asked.status);
}

/**
 * The same for a file that represents the whole site. Its 503 counts as a rate limit only if other requests were also
 * limited.
 */
export function isOfLimit(evidence: Evidence, asked: Asked): boolean {
  if (asked.status !== 503) return isOfAsker(evidence, asked);
  const others = listOthers(evidence, asked);
  return others.some(isAnswered) && others.some(({ status }) => LIMIT_STATUSES.includes(status));
}
