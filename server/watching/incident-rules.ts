import type { LookOutcome, Seen } from "../engine/judge/look.ts";

/** What is kept of a look that opens or closes an incident. `at` is when it began, as an ISO time. */
export interface SeenAt extends Seen {
  at: string;
}

/**
 * What is stored about a watched URL: its last conclusive outcome, how often in a row that came, and since when it has
 * been failing.
 */
export interface WatchState {
  lastOutcome: "good" | "failed" | null;
  streak: number;
  failingSince: string | null;
}

/** How many failed looks in a row open an incident. */
const LOOKS_TO_OPEN = 2;
/** How many good looks in a row close it. */
const LOOKS_TO_CLOSE = 2;

export interface LookDecision {
  state: WatchState;
  incident: "open" | "close" | "none";
  /**
   * True if this look differs from the one before, or if an incident is still undecided: the next look follows within
   * 30 s instead of after the interval.
   */
  lookAgainSoon: boolean;
}

/** Applies the rules of "When a URL is failing". `at` is the ISO time at which the look began. */
export function decideLook(
  before: WatchState,
  look: { outcome: LookOutcome; at: string },
  hasOpenIncident: boolean,
): LookDecision {
  if (look.outcome === "inconclusive")
    return { state: before, incident: "none", lookAgainSoon: false };
  const same = before.lastOutcome === look.outcome;
  const failed = look.outcome === "failed";
  const streak = same ? before.streak + 1 : 1;
  const contradicts = failed !== hasOpenIncident;
  const decides = contradicts && streak >= (failed ? LOOKS_TO_OPEN : LOOKS_TO_CLOSE);
  const change = failed ? "open" : "close";
  return {
    state: {
      lastOutcome: look.outcome,
      streak,
      failingSince: failed ? ((same ? before.failingSince : null) ?? look.at) : null,
    },
    incident: decides ? change : "none",
    lookAgainSoon: before.lastOutcome === null ? failed : !same || (contradicts && !decides),
  };
}
