import type { LookOutcome, Seen } from "./look-outcome.ts";

/** `at` is the start of the probe, as an ISO time. */
export interface SeenAt extends Seen {
  at: string;
}

/** `streak`: the number of conclusive probes in a row with the last outcome. */
export interface WatchState {
  lastOutcome: "good" | "failed" | null;
  streak: number;
  failingSince: string | null;
  /** The locations that reported the current series of failures. Empty while an incident is open. */
  failedFrom: readonly string[];
  /** The only location where the URL fails. */
  failsFrom: string | null;
  /**
   * `lookFrom`: the location that must make the next probe. `notFrom`: the location that must not. Null: any location
   * may.
   */
  lookFrom: string | null;
  notFrom: string | null;
}

export interface Circumstances {
  hasOpenIncident: boolean;
  location: string | null;
  /** With two or more locations, a second location confirms what the first one found. */
  locations: readonly string[];
  /** True if a failure at only one location opens an incident. */
  oneLocation: boolean;
  /** Failed probes in a row that open an incident. The schema has the default. */
  failures: number;
  isInMaintenance?: boolean | undefined;
}

/** The lowest `failures` that a project can set. */
export const FEWEST_FAILURES = 2;
/** Good probes in a row that close an incident. */
const LOOKS_TO_CLOSE = 2;

export interface LookDecision {
  state: WatchState;
  incident: "open" | "close" | "none";
  /**
   * True if the outcome changed or an incident is undecided. The next probe then follows within 30 s, not after the
   * interval.
   */
  lookAgainSoon: boolean;
}

type Meaning = "as known" | "undecided" | "withheld" | "opens" | "closes";

interface Consequence {
  incident: LookDecision["incident"];
  /** Enough probes in a row have decided the outcome, even if maintenance prevents an incident. */
  isDecided: boolean;
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

/** No incident opens during maintenance. The first failed probe after maintenance opens one. */
export function applyLook(before: WatchState, look: Look, around: Circumstances): LookDecision {
  if (look.outcome === "inconclusive") {
    // If the second location is inconclusive, the location that found the change decides.
    const state = before.notFrom === null ? before : { ...before, ...only(before.notFrom) };
    return { state, incident: "none", lookAgainSoon: before.notFrom !== null };
  }
  const failsFrom = findOnlyLocation(before, look, around);
  if (mustReturn(before, look, around, failsFrom)) {
    const state = { ...before, failsFrom, ...only(failsFrom) };
    return { state, incident: "none", lookAgainSoon: true };
  }
  return applyConclusiveLook({ ...before, failsFrom }, look, around);
}

/**
 * If the failing location alone opens an incident, a good probe elsewhere proves nothing. The failing location must
 * probe next.
 */
function mustReturn(
  { lookFrom }: WatchState,
  { outcome }: Look,
  { oneLocation, location }: Circumstances,
  failsFrom: string | null,
): boolean {
  const isElsewhere = failsFrom !== null && failsFrom !== location && failsFrom !== lookFrom;
  return oneLocation && outcome === "good" && isElsewhere;
}

function applyConclusiveLook(before: WatchState, look: Look, around: Circumstances): LookDecision {
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
  // A location that was chosen to confirm a result needs no further confirmation.
  const isConfirmed = locations.length < 2 || lookFrom !== null || notFrom !== null;
  if (!isConfirmed || streak < (failed ? failures : LOOKS_TO_CLOSE)) return "undecided";
  if (!failed) return "closes";
  return isInMaintenance === true ? "withheld" : "opens";
}

/** A good probe at another location shows that the URL fails at the previous location only. */
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
