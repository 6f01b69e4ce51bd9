import type { LookOutcome } from "../judge/look.ts";

/** What is remembered of a watched URL: its last conclusive outcome, how many in a row, and since when it fails. */
export interface WatchState {
  lastOutcome: "good" | "failed" | null;
  streak: number;
  failingSince: string | null;
}

export interface LookDecision {
  state: WatchState;
  /** Two failed looks in a row open an incident, two good ones in a row close it. */
  incident: "open" | "close" | "none";
  /** The look differs from the one before: the next comes within 30 s instead of the interval. */
  lookAgainSoon: boolean;
}

const LOOKS_TO_DECIDE = 2;

/** The rules of "When a URL is failing". `at` is the ISO time at which the look began. */
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
  const decided = streak >= LOOKS_TO_DECIDE && failed !== hasOpenIncident;
  const change = failed ? "open" : "close";
  return {
    state: {
      lastOutcome: look.outcome,
      streak,
      failingSince: failed ? ((same ? before.failingSince : null) ?? look.at) : null,
    },
    incident: decided ? change : "none",
    lookAgainSoon: before.lastOutcome === null ? failed : !same,
  };
}
