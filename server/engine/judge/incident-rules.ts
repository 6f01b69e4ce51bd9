import type { LookOutcome, Seen } from "./look-outcome.ts";

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

/** What a conclusive look means for the incident. */
type Meaning = "as known" | "undecided" | "withheld" | "opens" | "closes";

interface Consequence {
  incident: LookDecision["incident"];
  /** True if the looks in a row suffice, whatever becomes of the incident. */
  isDecided: boolean;
  /** True if another place makes the next look. */
  asksOther: boolean;
}

const CONSEQUENCES: Readonly<Record<Meaning, Consequence>> = {
  "as known": { incident: "none", isDecided: false, asksOther: false },
  undecided: { incident: "none", isDecided: false, asksOther: true },
  withheld: { incident: "none", isDecided: true, asksOther: true },
  opens: { incident: "open", isDecided: true, asksOther: false },
  closes: { incident: "close", isDecided: true, asksOther: false },
};

type Look = Readonly<{ outcome: LookOutcome; at: string }>;
type Next = Pick<WatchState, "lookFrom" | "notFrom">;

const ANYWHERE: Next = { lookFrom: null, notFrom: null };
const only = (place: string | null): Next => ({ ...ANYWHERE, lookFrom: place });

/**
 * Decides what a look means for the incident of its URL. Under maintenance no incident opens; the first look after it opens that of a
 * URL which still fails.
 */
export function decideLook(before: WatchState, look: Look, around: Circumstances): LookDecision {
  if (look.outcome === "inconclusive") {
    // A place that cannot tell leaves it to the one that saw the change.
    const state = before.notFrom === null ? before : { ...before, ...only(before.notFrom) };
    return { state, incident: "none", lookAgainSoon: before.notFrom !== null };
  }
  const failsFrom = findOnlyPlace(before, look, around);
  if (mustAskBack(before, look, around, failsFrom)) {
    const state = { ...before, failsFrom, ...only(failsFrom) };
    return { state, incident: "none", lookAgainSoon: true };
  }
  return conclude({ ...before, failsFrom }, look, around);
}

/** Where the owner asks for what fails from one place, a good look elsewhere tells nothing: that place looks next. */
function mustAskBack(
  { lookFrom }: WatchState,
  { outcome }: Look,
  { onePlace, place }: Circumstances,
  failsFrom: string | null,
): boolean {
  const isElsewhere = failsFrom !== null && failsFrom !== place && failsFrom !== lookFrom;
  return onePlace && outcome === "good" && isElsewhere;
}

function conclude(before: WatchState, look: Look, around: Circumstances): LookDecision {
  const { hasOpenIncident, place, places, onePlace } = around;
  const failed = look.outcome === "failed";
  const isSame = before.lastOutcome === look.outcome;
  const streak = isSame ? before.streak + 1 : 1;
  const meaning = interpret(before, failed, streak, around);
  const { incident, isDecided, asksOther } = CONSEQUENCES[meaning];
  const isOwn = failed && onePlace && before.failsFrom === place;
  const failsFrom = isDecided && !isOwn ? null : before.failsFrom;
  const isAway = asksOther && place !== null && !(onePlace && failsFrom !== null);
  const next = isAway ? { ...ANYWHERE, notFrom: place } : only(failsFrom);
  const isSettled = !failed && !hasOpenIncident && failsFrom !== null;
  return {
    state: {
      lastOutcome: failed ? "failed" : "good",
      streak,
      failingSince: failed ? ((isSame ? before.failingSince : null) ?? look.at) : null,
      failedFrom: failed && !hasOpenIncident ? addPlace(before.failedFrom, place) : [],
      failsFrom,
      ...(places.length >= 2 ? next : ANYWHERE),
    },
    incident,
    lookAgainSoon:
      before.lastOutcome === null ? failed : (!isSame || meaning === "undecided") && !isSettled,
  };
}

function interpret(
  { lookFrom, notFrom }: WatchState,
  failed: boolean,
  streak: number,
  { hasOpenIncident, places, failures, isInMaintenance }: Circumstances,
): Meaning {
  if (failed === hasOpenIncident) return "as known";
  // A place that makes the look which another should make decides alone.
  const isConfirmed = places.length < 2 || lookFrom !== null || notFrom !== null;
  if (!isConfirmed || streak < (failed ? failures : LOOKS_TO_CLOSE)) return "undecided";
  if (!failed) return "closes";
  return isInMaintenance === true ? "withheld" : "opens";
}

/** The place from which alone a URL fails, after a look: another's that is good says that the place before it failed alone. */
function findOnlyPlace(
  { failedFrom, failsFrom }: WatchState,
  { outcome }: Look,
  { hasOpenIncident, place, places }: Circumstances,
): string | null {
  const failed = outcome === "failed";
  const isKnown = failsFrom !== null && places.includes(failsFrom);
  if (!failed && !hasOpenIncident && failsFrom === place) return null;
  if (isKnown || failed || hasOpenIncident) return isKnown ? failsFrom : null;
  const others = failedFrom.filter((one) => one !== place && places.includes(one));
  return others.length === 1 ? (others[0] ?? null) : null;
}

const addPlace = (places: readonly string[], place: string | null): readonly string[] =>
  place === null || places.includes(place) ? places : [...places, place].toSorted();
