import { fragment, milliseconds, type Fragment } from "./driver/fragment.ts";

/**
 * Shares work among all servers, without a leader or a queue. A server that dies or hangs loses its claims to the
 * others, and its late writes change nothing.
 */

export const isFree = fragment`(lease_until is null or lease_until <= now())`;

export interface FreeRows {
  table: Fragment;
  columns: Fragment;
  condition: Fragment;
  order: Fragment;
  limit: number | Fragment;
}

export const selectFree = ({ table, columns, condition, order, limit }: FreeRows) => fragment`
  select ${columns} from ${table} where ${isFree} and ${condition}
  order by ${order} limit ${limit}::int for no key update skip locked`;

/** For `update ... set`, on rows that `selectFree` has locked. */
export const claimUnder = (claimId: string, leaseMs: number) =>
  fragment`claim_id = ${claimId}, lease_until = now() + ${milliseconds(leaseMs)}`;

export const isHeld = (claimId: string) =>
  fragment`(claim_id = ${claimId} and lease_until > now())`;

export const claimEnded = fragment`claim_id = null, lease_until = null`;
