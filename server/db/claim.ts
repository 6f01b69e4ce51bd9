import { fragment, milliseconds, type Fragment } from "./driver/fragment.ts";

/**
 * Shares work among all servers, without a leader or a queue. A row of work has `claim_id` and `lease_until`. A server
 * locks free rows (`selectFree`) and claims them for a limited time under its own id (`claimUnder`). It does the work
 * and writes the result if the claim still holds (`isHeld`), ending the claim (`claimEnded`). A server that dies or
 * hangs loses its claims to the others, and its late writes change nothing.
 */

/** True for a row without a claim, or with an expired lease. */
export const isFree = fragment`(lease_until is null or lease_until <= now())`;

/** The free rows of `table` that match `condition`, up to `limit` in this `order`. */
export interface FreeRows {
  table: Fragment;
  columns: Fragment;
  condition: Fragment;
  order: Fragment;
  limit: number | Fragment;
}

/**
 * Selects and locks free rows. Rows that another claimant has locked are skipped, so that two never get the same row.
 */
export const selectFree = ({ table, columns, condition, order, limit }: FreeRows) => fragment`
  select ${columns} from ${table} where ${isFree} and ${condition}
  order by ${order} limit ${limit}::int for no key update skip locked`;

/** In `update ... set`: claims rows that `selectFree` has locked. */
export const claimUnder = (claimId: string, leaseMs: number) =>
  fragment`claim_id = ${claimId}, lease_until = now() + ${milliseconds(leaseMs)}`;

export const isHeld = (claimId: string) =>
  fragment`(claim_id = ${claimId} and lease_until > now())`;

/** In `update ... set`: ends a claim. */
export const claimEnded = fragment`claim_id = null, lease_until = null`;
