import { getDomain } from "tldts";
import { CHAIN_REQUESTS } from "../../base/bounds.ts";
import { ACCEPT_PAGE, refusedAnswer } from "./answer.ts";
import { readBody } from "./body/body-facts.ts";
import { followRedirects, type Walk } from "./redirect-chain.ts";
import type { Evidence } from "../evidence/evidence.ts";
import { type RedirectChain, NO_ROUTE } from "../evidence/exchange.ts";
import type { Html } from "../evidence/html.ts";
import { findList, type Exchange } from "../net/fetch.ts";
import type { Target, Vetting } from "../net/guard.ts";
import { SIDE_HEADER_BYTES } from "./headers.ts";
import { redactUrl } from "./privacy/redact.ts";
import type { VisitContext } from "./context.ts";

const MAX_PLAIN_BYTES = 65_536;
const MAX_TWIN_BYTES = 524_288;

type PlainHttp = NonNullable<Evidence["plainHttp"]>;
type Twin = NonNullable<Evidence["twin"]>;

export function findPlainUrl({ url }: Target, httpPort?: number): URL | null {
  if (url.port !== "" && httpPort === undefined) return null;
  const plain = new URL(url);
  plain.protocol = "http:";
  plain.port = String(httpPort ?? 80);
  return plain;
}

/** R2 (see `Evidence`). */
export async function fetchPlainHttp(context: VisitContext, url: URL): Promise<PlainHttp> {
  const reserve = context.budget.reserve(CHAIN_REQUESTS);
  const vetting = await context.guard.vet(url.href, { scheme: "http:" });
  if (!vetting.ok) {
    reserve.release();
    return { ...refusedChain(vetting), closed: false, skipped: false, refresh: null };
  }
  const planRequest = ({ url: { protocol } }: Target) => ({
    accept: ACCEPT_PAGE,
    maxBytes: protocol === "http:" ? MAX_PLAIN_BYTES : 0,
  });
  const walk = await followRedirects(context, {
    first: vetting.target,
    planRequest,
    reserve,
    headerBytes: SIDE_HEADER_BYTES,
  });
  const { chain, last } = walk;
  const closed = chain.hops.length === 0 && !context.signal.aborted && isClosed(last?.exchange);
  const html = await readHtml(context, walk);
  const refresh = html?.metas.find(({ name }) => name === "refresh")?.content ?? null;
  return { ...chain, closed, skipped: last === null, refresh };
}

/** A port counts as closed if it refuses connections or a firewall drops its packets. */
function isClosed(exchange: Exchange | undefined): boolean {
  if (!exchange?.failure || exchange.timings.connectMs !== null) return false;
  const { phase, code } = exchange.failure;
  return phase === "deadline" || (phase === "connect" && code !== NO_ROUTE);
}

export function findTwinUrl({ url, host, literal }: Target): URL | null {
  const domain = literal ? null : getDomain(host);
  if (domain === null || (host !== domain && host !== `www.${domain}`)) return null;
  const twin = new URL(url);
  twin.hostname = host === domain ? `www.${domain}` : domain;
  return twin;
}

/** R9 (see `Evidence`). */
export async function fetchTwin(context: VisitContext, twinUrl: URL): Promise<Twin> {
  const reserve = context.budget.reserve(CHAIN_REQUESTS);
  const url = redactUrl(twinUrl);
  const vetting = await context.guard.vet(twinUrl.href);
  if (!vetting.ok) {
    reserve.release();
    return { ...refusedChain(vetting), url, canonical: null, skipped: false };
  }
  const first = vetting.target;
  const planRequest = ({ host }: Target) => ({
    accept: ACCEPT_PAGE,
    maxBytes: host === first.host ? MAX_TWIN_BYTES : 0,
  });
  const walk = await followRedirects(context, {
    first,
    planRequest,
    reserve,
    headerBytes: SIDE_HEADER_BYTES,
  });
  const html = await readHtml(context, walk);
  const canonical = html?.canonicals[0]?.url ?? null;
  return { ...walk.chain, url, canonical, skipped: !walk.last };
}

async function readHtml({ guard, signal }: VisitContext, { last }: Walk): Promise<Html | null> {
  const received = last?.exchange.received;
  if (!last || !received?.content || received.status !== 200) return null;
  const contentType = findList(received.rawHeaders, "content-type");
  const { url } = last.target;
  const { body } = await readBody({ ...received.content, contentType, url, guard, signal });
  return body.html;
}

function refusedChain(vetting: Extract<Vetting, { ok: false }>): RedirectChain {
  return { hops: [], failure: refusedAnswer(vetting).failure, stop: null, tls: null };
}
