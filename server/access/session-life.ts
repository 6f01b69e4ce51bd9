/** A session ends `idleDays` after its last use, and `maxDays` after its beginning. */
export const SESSION_LIFE = { idleDays: 14, maxDays: 90 } as const;
