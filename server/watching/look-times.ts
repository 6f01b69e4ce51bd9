import { PAGE_TIMEOUT_MS } from "../base/bounds.ts";

/* These times apply to probes of watched URLs. A claim (`LEASES.claimMs`) lasts longer than any probe. */

/** The average time between two claims of due URLs. */
export const CLAIM_MS = 1000;
/** The time to the next claim if a claim has left due URLs. */
export const NEXT_CLAIM_MS = 50;
/** The delay until the next probe, if the result has changed or an incident is undecided. */
export const SOON_SECONDS = 30;
/** A claim delayed for longer, for example in a stopped process, is released and not begun. */
export const BEGIN_MS = 5000;
/** After this time, a probe without a request waits for a silent site or name server, so other probes may begin. */
export const BEGINNING_MS = 1000;
/** The time limit of the first attempt: a DNS lookup, then the page. */
export const FIRST_TRY_MS = 2500 + PAGE_TIMEOUT_MS;
/** The delay between a failed first attempt and the second one. A late page gets no second attempt. */
export const SECOND_TRY_MS = 1000;
/** The maximum duration of a probe, including its second attempt. */
export const LOOK_MS = 25_000;
export const VERIFIED_LOOK_MS = 29_000;
/** How long a verification may wait for a permit. The wait is short because a requested check has priority. */
export const PERMIT_WAIT_MS = 1000;
/** How long the server retries writing a result that changes more than its URL's row. */
export const STORE_CHANGE_MS = 5000;
/** The interval at which results of probes are written in batches. */
export const BATCH_MS = 100;
/** How long the server retries writing a batch while the database fails. */
export const STORE_BATCH_MS = 10_000;
