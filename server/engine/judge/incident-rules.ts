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
  /** The location from which alone it fails. */
  failsFrom: string | null;
  /** The location where the next look is made, or one where it is not; null: anywhere. */
  lookFrom: string | null;
  notFrom: string | null;
}

/** What else decides. */
export interface Circumstances {
  hasOpenIncident: boolean;
  location: string | null;
  /** The locations that judge: where there are two, one confirms what another saw. */
  locations: readonly string[];
  /** Whether what fails from one location alone is an incident. */
  oneLocation: boolean;
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
  /** True if another location makes the next look. */
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
const only = (location: string | null): Next => ({ ...ANYWHERE, lookFrom: location });

/**
 * Decides what a look means for the incident of its URL. Under maintenance no incident opens; the first look after it opens that of a
 * URL which still fails.
 */
export function decideLook(before: WatchState, look: Look, around: Circumstances): LookDecision {
  if (look.outcome === "inconclusive") {
    // A location that cannot tell leaves it to the one that saw the change.
    const state = before.notFrom === null ? before : { ...before, ...only(before.notFrom) };
    return { state, incident: "none", lookAgainSoon: before.notFrom !== null };
  }
  const failsFrom = findOnlyLocation(before, look, around);
  if (mustAskBack(before, look, around, failsFrom)) {
    const state = { ...before, failsFrom, ...only(failsFrom) };
    return { state, incident: "none", lookAgainSoon: true };
  }
  return conclude({ ...before, failsFrom }, look, around);
}

/** Where the owner asks for what fails from one location, a good look elsewhere tells nothing: that location looks next. */
function mustAskBack(
  { lookFrom }: WatchState,
  { outcome }: Look,
  { oneLocation, location }: Circumstances,
  failsFrom: string | null,
): boolean {
  const isElsewhere = failsFrom !== null && failsFrom !== location && failsFrom !== lookFrom;
  return oneLocation && outcome === "good" && isElsewhere;
}

function conclude(before: WatchState, look: Look, around: Circumstances): LookDecision {
  const { hasOpenIncident, location, locations, oneLocation } = around;
  const failed = look.outcome === "failed";
  const isSame = before.lastOutcome === look.outcome;
  const streak = isSame ? before.streak + 1 : 1;
  const meaning = interpret(before, failed, streak, around);
  const { incident, isDecided, asksOther } = CONSEQUENCES[meaning];
  const isOwn = failed && oneLocation && before.failsFrom === location;
  const failsFrom = isDecided && !isOwn ? null : before.failsFrom;
  const isAway = asksOther && location !== null && !(oneLocation && failsFrom !== null);
  const next = isAway ? { ...ANYWHERE, notFrom: location } : only(failsFrom);
  const isSettled = !failed && !hasOpenIncident && failsFrom !== null;
  return {
    state: {
      lastOutcome: failed ? "failed" : "good",
      streak,
      failingSince: failed ? ((isSame ? before.failingSince : null) ?? look.at) : null,
      failedFrom: failed && !hasOpenIncident ? addLocation(before.failedFrom, location) : [],
      failsFrom,
      ...(locations.length >= 2 ? next : ANYWHERE),
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
  { hasOpenIncident, locations, failures, isInMaintenance }: Circumstances,
): Meaning {
  if (failed === hasOpenIncident) return "as known";
  // A location that makes the look which another should make decides alone.
  const isConfirmed = locations.length < 2 || lookFrom !== null || notFrom !== null;
  if (!isConfirmed || streak < (failed ? failures : LOOKS_TO_CLOSE)) return "undecided";
  if (!failed) return "closes";
  return isInMaintenance === true ? "withheld" : "opens";
}

/** The location from which alone a URL fails, after a look: another's that is good says that the location before it failed alone. */
function findOnlyLocation(
  { failedFrom, failsFrom }: WatchState,
  { outcome }: Look,
  { hasOpenIncident, location, locations }: Circumstances,
): string | null {
  const failed = outcome === "failed";
  const isKnown = failsFrom !== null && locations.includes(failsFrom);
  if (!failed && !hasOpenIncident && failsFrom === location) return null;
  if (isKnown || failed || hasOpenIncident) return isKnown ? failsFrom : null;
  const others = failedFrom.filter((one) => one !== location && locations.includes(one));
  return others.length === 1 ? (others[0] ?? null) : null;
}

const addLocation = (locations: readonly string[], location: string | null): readonly string[] =>
  location === null || locations.includes(location)
    ? locations
    : [...locations, location].toSorted();
