/** The lowest scores of `ship` and `ship_with_warnings`. A page whose coverage is too low gets neither. */
export const SHIP_SCORE = 80;
export const WARNINGS_SCORE = 60;

/** The verdict of a score, unless too little was judged for one. */
export function verdictOf(score: number): "ship" | "ship_with_warnings" | "do_not_ship" {
  if (score >= SHIP_SCORE) return "ship";
  return score >= WARNINGS_SCORE ? "ship_with_warnings" : "do_not_ship";
}
