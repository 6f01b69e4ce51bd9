import { SCAN_BOUNDS } from "../base/bounds.ts";
import { findReusableScans, type ReusableScan } from "../db/scans/scans.ts";
import type { Sql } from "../db/driver/sql.ts";

/** Finds the scan to which the next visitors of a page are led, by the hexadecimal hash of its URL. */
export type FindReusable = (urlHash: string) => Promise<ReusableScan | undefined>;

interface Batch {
  hashes: Set<string>;
  found: Promise<ReadonlyMap<string, ReusableScan>>;
}

const BATCH_SIZE = 500;

/** Asks for all that arrive during one question in the next one, so that a flood asks no more often than one visitor. */
export function createReuse(sql: Sql): FindReusable {
  let last: Promise<unknown> = Promise.resolve();
  let next: Batch | undefined;

  function openBatch(): Batch {
    const hashes = new Set<string>();
    const found = last.then(async () => {
      if (next?.hashes === hashes) next = undefined;
      const scans = await findReusableScans(sql, [...hashes], SCAN_BOUNDS);
      return new Map(scans.map((scan) => [scan.urlHash, scan]));
    });
    last = found.catch(() => {});
    return { hashes, found };
  }

  return async (urlHash) => {
    if (next === undefined || next.hashes.size >= BATCH_SIZE) next = openBatch();
    next.hashes.add(urlHash);
    return (await next.found).get(urlHash);
  };
}
