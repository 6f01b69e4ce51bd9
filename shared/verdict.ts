/** The lowest score of `ship`, and of `ship_with_warnings`; a page whose coverage is too low has neither verdict. */
export const SHIP_SCORE = 80;
export const WARNINGS_SCORE = 60;
