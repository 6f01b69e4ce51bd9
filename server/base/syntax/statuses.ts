/** The statuses with which browsers follow a Location. */
export const REDIRECT_STATUSES: readonly number[] = [301, 302, 303, 307, 308];

/** A login, a refusal and a rate limit: answers that say nothing about the page behind them. */
export const GATEKEEPER_STATUSES: readonly number[] = [401, 403, 429];

/** The answers of a server that puts off a client because of too many requests. */
export const LIMIT_STATUSES: readonly (number | null)[] = [429, 503];
