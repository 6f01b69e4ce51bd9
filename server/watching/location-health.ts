import type { Look, LookOutcome } from "../engine/judge/look-outcome.ts";

/**
 * While other locations assess failures, a location is set aside if it withholds judgement, or if most of at least four URLs fail only
 * there. A location that is set aside makes only one trial every 10 s, until two in a row are good.
 */
export interface LocationHealth {
  readonly location: string | null;
  /** Includes this location unless it is set aside. If there are several, one location confirms the result of another. */
  readonly locations: readonly string[];
  readonly isSetAside: boolean;
  record(number: number, look: Pick<Look, "outcome" | "isOwnFault">): void;
  /** The numbers of the URLs that failed here recently. */
  listFailed(): number[];
  /** `failing` is how many of `listFailed()` are good elsewhere. */
  updateOthers(others: readonly string[], failing: number): void;
  setWithheld(isWithheld: boolean): void;
  endTrial(outcome: LookOutcome | undefined): void;
}

interface Outputs {
  log: Record<"info" | "warn", (what: object, line: string) => void>;
  gauge: { set(value: number): void };
}

const LEAST_URLS = 4;
const TRIALS = 2;
/** The URLs to compare: the first 20 of each second in the last two minutes, or the last 20 if these are fewer. */
const COMPARED_MS = 120_000;
const COMPARED_A_SECOND = 20;
const COMPARED = 20;

/** Both count URLs; the failing ones fail only at this location. */
export const failsMost = (good: number, failing: number): boolean =>
  good + failing >= LEAST_URLS && failing > good;

export function createLocationHealth(
  location: string | null,
  { log, gauge }: Outputs,
  clock: () => number = () => performance.now(),
): LocationHealth {
  /** Maps a URL's number to its last result. The latest result is last. */
  const looks = new Map<number, { ended: "good" | "failed" | "own fault"; at: number }>();
  let others: readonly string[] = [];
  let isWithheld = false;
  let second = 0;
  let noted = 0;
  /** The number of good trials in a row; undefined while this location assesses failures. */
  let goodTrials: number | undefined;

  const doOthersJudge = () => others.some((other) => other !== location);

  function setAside(why: string): void {
    if (location === null || goodTrials !== undefined || !doOthersJudge()) return;
    goodTrials = 0;
    looks.clear();
    gauge.set(1);
    log.warn({ location, others }, `this location is set aside: ${why}`);
  }

  function judgeAgain(why: string): void {
    if (goodTrials === undefined) return;
    goodTrials = undefined;
    gauge.set(0);
    log.info({ location, others }, `this location judges again: ${why}`);
  }

  return {
    location,
    get locations() {
      const own = location === null || goodTrials !== undefined ? [] : [location];
      return [...new Set([...own, ...others])];
    },
    get isSetAside() {
      return goodTrials !== undefined;
    },
    record(number, { outcome, isOwnFault }) {
      const ended = isOwnFault ? "own fault" : outcome;
      if (location === null || ended === "inconclusive") return;
      const at = clock();
      const isSameSecond = Math.floor(at / 1000) === second;
      second = Math.floor(at / 1000);
      noted = isSameSecond ? noted + 1 : 1;
      if (noted > COMPARED_A_SECOND) return;
      looks.delete(number);
      looks.set(number, { ended, at });
      for (const [oldest, look] of looks) {
        if (looks.size <= COMPARED || at - look.at < COMPARED_MS) break;
        looks.delete(oldest);
      }
    },
    listFailed: () =>
      [...looks].flatMap(([number, { ended }]) => (ended === "failed" ? [number] : [])),
    updateOthers(found, failedAlone) {
      others = found;
      if (!doOthersJudge()) judgeAgain("no other location does");
      const count = (how: string) =>
        [...looks.values()].filter(({ ended }) => ended === how).length;
      const good = count("good");
      const failing = failedAlone + count("own fault");
      if (isWithheld) setAside("it withholds judgement");
      else if (failsMost(good, failing))
        setAside(`${failing} of ${good + failing} URLs fail from here alone`);
    },
    setWithheld(isNow) {
      isWithheld = isNow;
      if (isNow) setAside("it withholds judgement");
    },
    endTrial(outcome) {
      if (goodTrials === undefined) return;
      goodTrials = outcome === "good" ? goodTrials + 1 : 0;
      if (goodTrials >= TRIALS && !isWithheld) judgeAgain("what it tried is good");
    },
  };
}
