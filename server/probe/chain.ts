import type { Chain, Hop } from "./evidence.ts";
import { type Ask, fetchOnce, findLocation, type Outcome, type Session } from "./fetch.ts";
import type { Guard, Target } from "./guard.ts";
import { keepHeaders } from "./headers.ts";
import { followRedirect } from "./redirect.ts";
import { redactUrl } from "./redact.ts";

/** The most requests that one chain sends: the first, and 5 redirects. */
export const CHAIN_REQUESTS = 6;

export interface ChainRequest {
  session: Session;
  guard: Guard;
  first: Target;
  /** What to ask of each target: of how much of its body, for one. */
  askOf: (target: Target) => Ask;
  /** Whether one more request may be sent. */
  take: () => boolean;
  /** How many of the requests may be sent again at once, after a failed connection or a 5xx. */
  retries: number;
}

/** A chain of redirects, its end, and what is needed to read the last answer. */
export interface Walk {
  chain: Chain;
  /** The last request's; null when none was sent. */
  last: { target: Target; outcome: Outcome } | null;
  /** 1, and the retries made. */
  attempts: number;
}

/** Follows redirects by hand, each vetted before it is visited. */
export async function walkChain(request: ChainRequest): Promise<Walk> {
  const { session, guard, first, askOf, take } = request;
  const hops: Hop[] = [];
  const visited = [first.url];
  let attempts = 1;
  let target = first;
  let last: Walk["last"] = null;
  const end = (rest: Partial<Chain> = {}): Walk => {
    const failure = last?.outcome.failure ?? null;
    const tls = last?.outcome.tls ?? null;
    return { chain: { hops, failure, stop: null, tls, ...rest }, last, attempts };
  };
  while (take()) {
    const outcome = await fetchOnce(session, target, askOf(target));
    last = { target, outcome };
    if (isWorthRetry(outcome) && attempts <= request.retries) {
      attempts++;
      continue;
    }
    const { received } = outcome;
    if (!received) return end();
    hops.push(describeHop(target, outcome));
    const location = findLocation(received);
    if (location === undefined) return end();
    const step = await followRedirect(guard, visited, location);
    if ("stop" in step) return end({ stop: step.stop });
    target = step.follow;
    visited.push(target.url);
  }
  return end();
}
