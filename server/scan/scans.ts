import { createHash } from "node:crypto";
import { UncountedCheck } from "../../shared/check.ts";
import { isUnlistedId } from "../db/id.ts";
import type { ScanProgress } from "../db/scans/scans.ts";
import { findProgress, findStoredScan, deleteScan as deleteStoredScan } from "../db/scans/scans.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import type { Language } from "../../shared/language.ts";
import { watchChanges } from "../checks/progress.ts";

/** A scan, as shown to anyone who knows its id. */
export interface Scan {
  id: string;
  /** Masked. */
  url: string;
  state: "waiting" | "running" | "done" | "failed";
  /** When it was requested, in ISO 8601. */
  startedAt: string;
  /** The position in the queue, from 1 on, while it waits. */
  position?: number;
  /** While it runs: `vetting`, `visiting` or `judging`. */
  step?: string;
  /** Present once the scan is done. */
  check?: UncountedCheck;
  /** Present once the scan is done, packed by `packEvidence`. */
  evidence?: Uint8Array;
  /** Present once the scan has failed. */
  failure?: string;
}

function toScan({ id, url, state, startedAt, position, step }: ScanProgress): Scan {
  return {
    id,
    url,
    state,
    startedAt: startedAt.toISOString(),
    ...(position !== null && { position }),
    ...(step !== null && { step }),
  };
}

/** Returns the scan with its check in this language; undefined if it does not or no longer exists. */
export async function findScan(
  sql: Sql,
  id: string,
  language: Language,
): Promise<Scan | undefined> {
  const stored = isUnlistedId(id) ? await findStoredScan(sql, id, language) : undefined;
  if (stored === undefined) return undefined;
  const { answer, evidence, failure } = stored;
  return {
    ...toScan(stored),
    ...(answer !== null && { check: UncountedCheck.parse(JSON.parse(answer)) }),
    ...(evidence !== null && { evidence }),
    ...(failure !== null && { failure: failure[language] }),
  };
}

/** Yields the scan without its check, first immediately and then after each change, as `watchChanges` does. */
export async function* watchScan(
  deps: Pick<Deps, "database" | "news" | "draining">,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<Scan, void> {
  for await (const found of watchChanges(deps, id, signal, () =>
    findProgress(deps.database.sql, id),
  ))
    yield toScan(found);
}

/**
 * Works in any state, and deletes everything the scan found. Throws `scan_not_found` if the id or the key is unknown.
 */
export async function deleteScan(
  { database, news }: Pick<Deps, "database" | "news">,
  id: string,
  key: string,
): Promise<void> {
  if (!isUnlistedId(id) || !(await deleteStoredScan(database, id, hashKey(key))))
    throw new AppError("scan_not_found", {});
  news.emit("changed", id);
}

export const hashKey = (key: string) => createHash("sha256").update(key).digest();
