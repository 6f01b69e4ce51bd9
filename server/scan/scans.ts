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

export interface Scan {
  id: string;
  /** The masked URL. */
  url: string;
  state: "waiting" | "running" | "done" | "failed";
  /** ISO 8601. */
  startedAt: string;
  /** The position of a waiting scan in the queue, from 1 on. */
  position?: number;
  /** The step of a running scan: `vetting`, `visiting` or `judging`. */
  step?: string;
  check?: UncountedCheck;
  /** Packed by `packEvidence`. */
  evidence?: Uint8Array;
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

/** Deletes a scan in any state. Throws `scan_not_found`. */
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
