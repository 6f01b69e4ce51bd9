import { CHECK_TIMEOUT_MS } from "../base/bounds.ts";

/* The times of a probe of a watched URL. Its claim (`LEASES.claimMs`) lasts longer than any probe. */

/** The average time between two claims of due URLs, and the time if the first claim has left some. */
export const CLAIM_MS = 1000;
export const NEXT_CLAIM_MS = 50;
/** How soon after the last probe the next one begins, after a change or while an incident is undecided. */
export const SOON_SECONDS = 30;
/** A claim delayed for longer, for example in a stopped process, is released and not begun. */
export const BEGIN_MS = 5000;
/** A probe that has sent no request by then waits for a silent site or name server, so others can begin. */
export const BEGINNING_MS = 1000;
/** The DNS lookup and the time of a check. */
export const FIRST_TRY_MS = 2500 + CHECK_TIMEOUT_MS;
/** How long after a failed attempt the second one begins. */
export const SECOND_TRY_MS = 1000;
/** The longest probe, including its second attempt. */
export const LOOK_MS = 19_000;
export const VERIFIED_LOOK_MS = 24_000;
/** How long a verification may wait for a permit. It is short because a requested check has priority. */
export const PERMIT_WAIT_MS = 1000;
/** How long the server retries writing a result that changes more than its URL's row. */
export const STORE_CHANGE_MS = 5000;
/** How often results of probes are written, in batches, and how long the server retries while the database fails. */
export const BATCH_MS = 100;
export const STORE_BATCH_MS = 10_000;
