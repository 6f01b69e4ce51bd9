import { createHash } from "node:crypto";
import { setMaxListeners } from "node:events";
import { UncountedCheck } from "../../shared/check.ts";
import { isUnlistedId } from "../db/id.ts";
import type { ScanProgress } from "../db/scans/scans.ts";
import { findProgress, findStoredScan, deleteScan as deleteStoredScan } from "../db/scans/scans.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import type { Language } from "../base/language.ts";

/** A scan as those who know its id see it. */
export interface Scan {
  id: string;
  /** Masked. */
  url: string;
  state: "waiting" | "running" | "done" | "failed";
  /** ISO 8601: when it was asked for. */
  startedAt: string;
  /** In the queue, from 1 on, while it waits. */
  place?: number;
  /** While it runs: `vetting`, `visiting` or `judging`. */
  step?: string;
  /** Once it is done. */
  check?: UncountedCheck;
  /** Once it has failed: why. */
  failure?: string;
}

const POLL_MS = 1000;

function toScan({ id, url, state, startedAt, place, step }: ScanProgress): Scan {
  return {
    id,
    url,
    state,
    startedAt: startedAt.toISOString(),
    ...(place !== null && { place }),
    ...(step !== null && { step }),
  };
}

/** The scan with its check in this language; undefined if there is none, or not any more. */
export async function findScan(
  sql: Sql,
  id: string,
  language: Language,
): Promise<Scan | undefined> {
  const stored = isUnlistedId(id) ? await findStoredScan(sql, id, language) : undefined;
  if (stored === undefined) return undefined;
  const { answer, failure } = stored;
  return {
    ...toScan(stored),
    ...(answer !== null && { check: UncountedCheck.parse(JSON.parse(answer)) }),
    ...(failure !== null && { failure: failure[language] }),
  };
}

/**
 * The scan, without its check, at first and whenever it has changed, until it has ended. Ends also with the signal, when
 * the process shuts down, and when the scan is deleted.
 */
export async function* watchScan(
  { database, scanDesk, draining }: Pick<Deps, "database" | "scanDesk" | "draining">,
  id: string,
  signal: AbortSignal,
): AsyncGenerator<Scan, void> {
  const endings = [signal, draining];
  let sent = "";
  while (!endings.some(({ aborted }) => aborted)) {
    const change = waitForChange(scanDesk, id, endings);
    const progress = await findProgress(database.sql, id);
    if (progress === undefined) return;
    const scan = toScan(progress);
    const text = JSON.stringify(scan);
    if (text !== sent) yield scan;
    sent = text;
    if (scan.state === "done" || scan.state === "failed") return;
    await change;
  }
}

/**
 * Resolves when the scan has come further in this process; after a second, since it may run in another; or at the end.
 * Not by AbortSignal.any(), each of which leaves something on a signal for as long as that lives (Node 20).
 */
function waitForChange(
  { news }: Pick<Deps["scanDesk"], "news">,
  id: string,
  endings: readonly AbortSignal[],
): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      clearTimeout(timer);
      news.off("changed", onChange);
      for (const ending of endings) ending.removeEventListener("abort", stop);
      resolve();
    };
    const onChange = (changed: string) => {
      if (changed === id) stop();
    };
    const timer = setTimeout(stop, POLL_MS);
    news.on("changed", onChange);
    setMaxListeners(0, ...endings);
    for (const ending of endings) ending.addEventListener("abort", stop);
  });
}

/** Deletes a scan and all that it found, in whatever state. Throws `scan_not_found` if the id or the key is unknown. */
export async function deleteScan(
  { database, scanDesk }: Pick<Deps, "database" | "scanDesk">,
  id: string,
  key: string,
): Promise<void> {
  if (!isUnlistedId(id) || !(await deleteStoredScan(database, id, hashKey(key))))
    throw new AppError("scan_not_found", {});
  scanDesk.news.emit("changed", id);
}

export const hashKey = (key: string) => createHash("sha256").update(key).digest();
