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

/**
 * `most`: the highest score that the unassessed points allow. `coverage`: the percentage of points that were assessed.
 * `limit`: the lowest cap, or 100. Without enough coverage there is no verdict, nor if the unassessed points decide
 * between `do_not_ship` and a better one.
 */
export function computeVerdict(score: number, most: number, coverage: number, limit: number) {
  const isTooLittle = coverage < MIN_COVERAGE && limit >= DECIDING_CAP;
  const isOpen = score < WARNINGS_SCORE && most >= WARNINGS_SCORE;
  return isTooLittle || isOpen ? "inconclusive" : verdictOf(score);
}
