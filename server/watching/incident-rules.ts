import type { LookOutcome, Seen } from "../engine/judge/look-outcome.ts";

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
  /** From where these looks in a row failed, while no incident is open. */
  failedFrom: readonly string[];
  /** The place from which alone it fails. */
  failsFrom: string | null;
  /** The place where the next look is made, or one where it is not; null: anywhere. */
  lookFrom: string | null;
  notFrom: string | null;
}

/** What else decides. */
export interface Circumstances {
  hasOpenIncident: boolean;
  place: string | null;
  /** The places that judge: where there are two, one confirms what another saw. */
  places: readonly string[];
  /** Whether what fails from one place alone is an incident. */
  onePlace: boolean;
  /** How many failed looks in a row open an incident; the default is in the schema. */
  failures: number;
  isInMaintenance?: boolean | undefined;
}

/** The fewest failed looks in a row that open an incident of any project. */
export const FEWEST_FAILURES = 2;
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

/**
 * Decides what a look means for the incident of its URL. `at` is the ISO time at which the look began. Under maintenance no incident
 * opens; the first look after it opens that of a URL which still fails.
 */
export function decideLook(
  before: WatchState,
  look: { outcome: LookOutcome; at: string },
  { hasOpenIncident, place, places, onePlace, ...rule }: Circumstances,
): LookDecision {
  const { lookFrom, notFrom } = before;
  if (look.outcome === "inconclusive") {
    // A place that cannot tell leaves it to the one that saw the change.
    const state = notFrom === null ? before : { ...before, lookFrom: notFrom, notFrom: null };
    return { state, incident: "none", lookAgainSoon: notFrom !== null };
  }
  const same = before.lastOutcome === look.outcome;
  const failed = look.outcome === "failed";
  const isShared = places.length >= 2;
  const failsFrom = findOnlyPlace(before, failed, { hasOpenIncident, place, places });
  if (!failed && onePlace && failsFrom !== null && place !== failsFrom && lookFrom !== failsFrom) {
    const state = { ...before, failsFrom, lookFrom: failsFrom, notFrom: null };
    return { state, incident: "none", lookAgainSoon: true };
  }
  const streak = same ? before.streak + 1 : 1;
  const contradicts = failed !== hasOpenIncident;
  const isEnough = streak >= (failed ? rule.failures : LOOKS_TO_CLOSE);
  // Whoever claims a look that another place should make stands alone.
  const decides = contradicts && isEnough && (!isShared || (lookFrom ?? notFrom) !== null);
  const isWithheld = failed && rule.isInMaintenance === true;
  const isOwn = failed && onePlace && failsFrom === place;
  const remains = decides && !isOwn ? null : failsFrom;
  const isAsked = contradicts && (!decides || isWithheld) && place !== null;
  const isOnlyThere = onePlace && remains !== null;
  const change = failed ? "open" : "close";
  const isSettled = !failed && !hasOpenIncident && remains !== null;
  const isUndecided = !same || (contradicts && !decides);
  return {
    state: {
      lastOutcome: look.outcome,
      streak,
      failingSince: failed ? ((same ? before.failingSince : null) ?? look.at) : null,
      failedFrom: failed && !hasOpenIncident ? addPlace(before.failedFrom, place) : [],
      failsFrom: remains,
      lookFrom: isShared && (isOnlyThere || !isAsked) ? remains : null,
      notFrom: isShared && !isOnlyThere && isAsked ? place : null,
    },
    incident: decides && !isWithheld ? change : "none",
    lookAgainSoon: before.lastOutcome === null ? failed : isUndecided && !isSettled,
  };
}

/** The place from which alone a URL fails, after a look: another's that is good says that the place before it failed alone. */
function findOnlyPlace(
  { failedFrom, failsFrom }: WatchState,
  failed: boolean,
  { hasOpenIncident, place, places }: Pick<Circumstances, "hasOpenIncident" | "place" | "places">,
): string | null {
  const isKnown = failsFrom !== null && places.includes(failsFrom);
  if (!failed && !hasOpenIncident && failsFrom === place) return null;
  if (isKnown || failed || hasOpenIncident) return isKnown ? failsFrom : null;
  const others = failedFrom.filter((one) => one !== place && places.includes(one));
  return others.length === 1 ? (others[0] ?? null) : null;
}

const addPlace = (places: readonly string[], place: string | null): readonly string[] =>
  place === null || places.includes(place) ? places : [...places, place].toSorted();
