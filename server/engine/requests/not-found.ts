import { randomBytes } from "node:crypto";
import { ACCEPT_PAGE, answerOf, SKIPPED, targetAt } from "./answer.ts";
import { NOT_FOUND_REQUESTS } from "../../base/bounds.ts";
import { readBody } from "./body/body-facts.ts";
import { findBanner } from "./body/page-texts.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { fetchOnce, findList, findLocation, type Exchange } from "../net/fetch.ts";
import type { Target } from "../net/guard.ts";
import { redactUrl } from "./privacy/redact.ts";
import { followRedirect } from "./redirect-chain.ts";
import type { VisitContext } from "./context.ts";
import { findUrl } from "../../base/syntax/url.ts";

const MAX_NOT_FOUND_BYTES = 65_536;

export function planNotFound(): string {
  return `/shipscore-${randomBytes(8).toString("hex")}`;
}

export interface NotFoundReading {
  notFound: Omit<Evidence["notFound"], "repeatsPage">;
  words: string | null;
  firstByteMs: number | null;
}

/** R5. Follows only redirects that keep the path, because they lead to the site's answer for that path. */
export async function fetchNotFound(
  context: VisitContext,
  origin: Target,
  path: string,
): Promise<NotFoundReading> {
  const reserve = context.budget.reserve(NOT_FOUND_REQUESTS);
  const visited: URL[] = [];
  let target: Target | null = targetAt(origin, path);
  let reading: NotFoundReading | undefined;
  while (target && !context.signal.aborted && reserve.take()) {
    const exchange = await fetchOnce(context, target, {
      accept: ACCEPT_PAGE,
      maxBytes: MAX_NOT_FOUND_BYTES,
    });
    visited.push(target.url);
    reading = await describeExchange(context, target, exchange);
    target = await findKept(context, visited, exchange, path);
  }
  reserve.release();
  return reading ?? skipNotFound(targetAt(origin, path));
}

function skipNotFound({ url }: Target): NotFoundReading {
  const notFound = { ...SKIPPED, url: redactUrl(url), location: null, leak: null, banner: null };
  return { notFound, words: null, firstByteMs: null };
}

/** A redirect that keeps the path changes only host or language. */
async function findKept(
  { guard }: VisitContext,
  visited: readonly URL[],
  { received }: Exchange,
  path: string,
): Promise<Target | null> {
  const location = received && findLocation(received);
  if (!location?.includes(path)) return null;
  const step = await followRedirect(guard, visited, location);
  if ("stop" in step || step.follow.url.protocol !== "https:") return null;
  return step.follow.url.pathname.includes(path) ? step.follow : null;
}

async function describeExchange(
  { guard, signal }: VisitContext,
  { url }: Target,
  exchange: Exchange,
): Promise<NotFoundReading> {
  const { received, timings } = exchange;
  const location = received && findLocation(received);
  const content = received?.content;
  const contentType = received && findList(received.rawHeaders, "content-type");
  const reading = content && (await readBody({ ...content, contentType, url, guard, signal }));
  const notFound = {
    ...answerOf(exchange),
    url: redactUrl(url),
    location: location ? describeLocation(location, url) : null,
    leak: reading?.body.leak ?? null,
    banner: reading ? findBanner(reading.own) : null,
  };
  return { notFound, words: reading?.words ?? null, firstByteMs: timings.firstByteMs };
}

function describeLocation(location: string, base: URL): string {
  return redactUrl(findUrl(location, base) ?? location);
}
