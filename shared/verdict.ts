/** The lowest scores of `ship` and `ship_with_warnings`, if the coverage suffices. */
export const SHIP_SCORE = 80;
export const WARNINGS_SCORE = 60;

/** The least coverage for a verdict, in percent of the points. */
export const MIN_COVERAGE = 70;
/** A cap below this one gives a verdict at any coverage. */
export const DECIDING_CAP = 79;

export function verdictOf(score: number): "ship" | "ship_with_warnings" | "do_not_ship" {
  if (score >= SHIP_SCORE) return "ship";
  return score >= WARNINGS_SCORE ? "ship_with_warnings" : "do_not_ship";
}

/** `coverage`: the percentage of points that were assessed. `limit`: the lowest cap, or 100. */
export function computeVerdict(score: number, coverage: number, limit: number) {
  const isUndecided = coverage < MIN_COVERAGE && limit >= DECIDING_CAP;
  return isUndecided ? "inconclusive" : verdictOf(score);
}
