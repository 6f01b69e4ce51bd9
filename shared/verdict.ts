/** The lowest scores of `ship` and `ship_with_warnings`. A page whose coverage is too low gets neither. */
export const SHIP_SCORE = 80;
export const WARNINGS_SCORE = 60;

/** The percentage of the points that must have been judged for a verdict. */
export const MIN_COVERAGE = 70;
/** A cap below this one gives a verdict, however few points were judged. */
export const DECIDING_CAP = 79;

/** The verdict of a score, unless too little was judged for one. */
export function verdictOf(score: number): "ship" | "ship_with_warnings" | "do_not_ship" {
  if (score >= SHIP_SCORE) return "ship";
  return score >= WARNINGS_SCORE ? "ship_with_warnings" : "do_not_ship";
}

/** The verdict of a score under its lowest cap, of which so many percent of the points were judged. */
export function decideVerdict(score: number, coverage: number, limit: number) {
  const isUndecided = coverage < MIN_COVERAGE && limit >= DECIDING_CAP;
  return isUndecided ? "inconclusive" : verdictOf(score);
}
