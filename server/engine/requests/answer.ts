import type { Answer } from "../evidence/exchange.ts";
import { type RequestOptions, fetchOnce, type Exchange } from "../net/fetch.ts";
import type { Target, Vetting } from "../net/guard.ts";
import { keepHeaders, SIDE_HEADER_BYTES } from "./headers.ts";
import type { VisitContext } from "./context.ts";

export const ACCEPT_PAGE = "text/html,application/xhtml+xml,*/*;q=0.8";
/** What Chrome sends for a page. */
export const ACCEPT_BROWSER =
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8";
/** Some servers answer every path with an application's page, but only to clients that accept HTML. */
export const ACCEPT_ANY = "*/*";

export const SKIPPED: Answer = { status: null, headers: [], failure: null, skipped: true };

export function refusedAnswer({ refusal }: Extract<Vetting, { ok: false }>): Answer {
  const failure = { phase: "guard" as const, code: refusal.code, detail: refusal.host ?? "" };
  return { status: null, headers: [], failure, skipped: false };
}

export function answerOf({ received, failure }: Exchange, headerBytes = SIDE_HEADER_BYTES): Answer {
  const shown = failure?.phase === "response" ? null : received;
  const headers = shown ? keepHeaders(shown.rawHeaders, headerBytes) : [];
  return { status: shown?.status ?? null, headers, failure, skipped: false };
}

export type TakeRequest = () => boolean | Promise<boolean>;

export async function tryFetch(
  context: VisitContext,
  target: Target,
  options: RequestOptions,
  take: TakeRequest = () => context.budget.take(),
): Promise<Exchange | undefined> {
  const isTaken = await take();
  return isTaken && !context.signal.aborted ? fetchOnce(context, target, options) : undefined;
}

export function targetAt(target: Target, path: string): Target {
  return { ...target, url: new URL(path, target.url) };
}
