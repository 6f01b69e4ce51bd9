/** The lowest scores of `ship` and `ship_with_warnings`. A page whose coverage is too low gets neither. */
export const SHIP_SCORE = 80;
export const WARNINGS_SCORE = 60;
