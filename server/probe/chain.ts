import type { Reserve } from "./budget.ts";
import type { Chain, Hop } from "./evidence.ts";
import {
  type Ask,
  fetchOnce,
  findLocation,
  isWorthRetry,
  type Outcome,
  type Received,
} from "./fetch.ts";
import type { Target } from "./guard.ts";
import { keepHeaders, REDIRECT_HEADER_BYTES } from "./headers.ts";
import { redactUrl } from "./redact.ts";
import { followRedirect } from "./redirect.ts";
import type { Session } from "./session.ts";

/** The most requests of a chain: the first, and 5 redirects. */
export const CHAIN_REQUESTS = 6;

export interface ChainPlan {
  first: Target;
  /** What to ask of each target on the way. */
  askOf: (target: Target) => Ask;
  /** The requests that it may send, a retry included; let go of at its end. */
  reserve: Reserve;
  /** JSON bytes for the headers of an answer that does not redirect. */
  headerBytes: number;
  /** Whether a failed connection or a 5xx is tried once more, at once. */
  retries?: boolean;
}

/** A chain of redirects, and its last request with all that came of it. */
export interface Walk {
  chain: Chain;
  /** Null when there was no request left for the first. */
  last: { target: Target; outcome: Outcome } | null;
  /** 1, and the retry if there was one. */
  attempts: number;
}

/** Follows redirects by hand, each vetted before it is visited. */
export async function walkChain(session: Session, plan: ChainPlan): Promise<Walk> {
  const chain: Chain = { hops: [], failure: null, stop: null, tls: null };
  const walk: Walk = { chain, last: null, attempts: 1 };
  const visited = [plan.first.url];
  let target: Target | null = plan.first;
  while (target && plan.reserve.take()) {
    const outcome = await fetchOnce(session, target, plan.askOf(target));
    walk.last = { target, outcome };
    if (plan.retries && walk.attempts === 1 && isOutcomeWorthRetry(outcome)) {
      walk.attempts = 2;
      continue;
    }
    const { received, failure, tls } = outcome;
    chain.failure = failure;
    chain.tls = tls;
    if (received) chain.hops.push(describeHop(target, received, tls, plan));
    target = received && (await findNext(session, visited, received, chain));
  }
  plan.reserve.release();
  return walk;
}

/** The vetted target of a redirect; null where there is none to follow, which the chain then says. */
async function findNext(
  { guard }: Session,
  visited: URL[],
  received: Received,
  chain: Chain,
): Promise<Target | null> {
  const location = findLocation(received);
  if (location === undefined) return null;
  const step = await followRedirect(guard, visited, location);
  if ("stop" in step) {
    chain.stop = step.stop;
    return null;
  }
  visited.push(step.follow.url);
  return step.follow;
}

function describeHop(
  { url }: Target,
  received: Received,
  tls: Hop["tls"],
  { headerBytes }: ChainPlan,
): Hop {
  const { status, address, rawHeaders } = received;
  const isRedirect = findLocation(received) !== undefined;
  const headers = keepHeaders(rawHeaders, isRedirect ? REDIRECT_HEADER_BYTES : headerBytes);
  return { url: redactUrl(url), status, address, headers, tls };
}

function isOutcomeWorthRetry({ received, failure }: Outcome): boolean {
  return isWorthRetry({ status: received?.status ?? null, failure });
}
