import { PAGE_REQUESTS } from "../../bounds.ts";
import { ACCEPT_PAGE } from "./answer.ts";
import { type BodyReading, readBody } from "../body/body-facts.ts";
import { followRedirects } from "./redirect-chain.ts";
import { type DrawnCookies, readDrawnCookies } from "./drawn-cookies.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { findList } from "../../net/fetch.ts";
import type { Target } from "../../net/guard.ts";
import { openJar } from "./jar.ts";
import { PAGE_HEADER_BYTES } from "./headers.ts";
import type { ProbeContext } from "./context.ts";

const MAX_PAGE_BYTES = 1_572_864;

/** The timings of a page that was never requested. */
export const UNTIMED: Evidence["page"]["timings"] = {
  dnsMs: null,
  connectMs: null,
  tlsMs: null,
  firstByteMs: null,
  downloadMs: null,
};

/** The page as it was read, and what to request next because of it. */
export interface PageReading extends Pick<BodyReading, "assets" | "links" | "words"> {
  page: Evidence["page"];
  /** The last target requested. */
  end: Target;
  /** Whether the first try timed out and the second did not. */
  isLate: boolean;
  cookies: DrawnCookies;
}

/** R1: the target, its redirects and the body at their end, with one immediate retry. */
export async function readPage(context: ProbeContext, first: Target): Promise<PageReading> {
  const { chain, last, attempts, lateMs } = await followRedirects(context, {
    first,
    askOf({ url }) {
      context.secrets.noteUrl(url);
      return { accept: ACCEPT_PAGE, maxBytes: MAX_PAGE_BYTES };
    },
    reserve: context.budget.reserve(PAGE_REQUESTS),
    headerBytes: PAGE_HEADER_BYTES,
    retries: true,
    jar: openJar(),
  });
  const end = last?.target ?? first;
  const timings = addWait(last?.exchange.timings ?? UNTIMED, lateMs);
  const received = last?.exchange.received;
  const cookies = readDrawnCookies(received?.rawHeaders ?? []);
  const content = chain.stop ? null : received?.content;
  if (!received || !content)
    return {
      page: { ...chain, attempts, timings, body: null },
      end,
      isLate: lateMs > 0,
      cookies,
      assets: [],
      links: [],
      words: null,
    };
  const contentType = findList(received.rawHeaders, "content-type");
  const { guard, signal } = context;
  const reading = await readBody({ ...content, contentType, url: end.url, guard, signal });
  const { body, assets, links, words } = reading;
  return {
    page: { ...chain, attempts, timings, body },
    end,
    isLate: lateMs > 0,
    cookies,
    assets,
    links,
    words,
  };
}

/** Time to first byte counts from the first request, even if that one was given up. */
function addWait(timings: Evidence["page"]["timings"], lateMs: number): typeof timings {
  const { firstByteMs } = timings;
  return { ...timings, firstByteMs: firstByteMs === null ? null : firstByteMs + lateMs };
}
