import { CHECK_TIMEOUT_MS } from "../base/bounds.ts";

/* The times of a look at a watched URL. Its claim (`LEASES.claimMs`) lasts longer than each look. */

/** Between two claims of due URLs, on average; and if the first has left something. */
export const CLAIM_MS = 1000;
export const NEXT_CLAIM_MS = 50;
/** After a change, or while an incident is undecided, the next look begins so long after the last. */
export const SOON_SECONDS = 30;
/** A claim that was held up for longer, as by a process that was stopped, is given back rather than begun. */
export const BEGIN_MS = 5000;
/** A look that has not asked by then waits for a silent site or name server, and keeps no other waiting. */
export const BEGINNING_MS = 1000;
/** What the first try may take: the name's look-up, and the time of a check. */
export const FIRST_TRY_MS = 2500 + CHECK_TIMEOUT_MS;
/** How long after a failed try the second begins. */
export const SECOND_TRY_MS = 1000;
/** How long a look may take, its second try included. */
export const LOOK_MS = 19_000;
/** How long a look that is a verification may take, its second try included. */
export const VERIFIED_LOOK_MS = 24_000;
/** How long a verification may wait for a permit; a check that somebody asked for has one. */
export const PERMIT_WAIT_MS = 1000;
/** For how long a result that changes more than its URL's row is written again while the database fails. */
export const STORE_CHANGE_MS = 5000;
/** Results of looks are written together every so often, and again for so long while the database fails. */
export const BATCH_MS = 100;
export const STORE_BATCH_MS = 10_000;
