import type { SessionActor } from "../db/accounts/actors.ts";
import type { CallerRow } from "../db/accounts/callers.ts";
import { findReport, type StoredReport } from "../db/checks/reports.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import type { Language } from "../base/language.ts";
import { Interrupted } from "../engine/visit/check-thread.ts";
import type { JudgedAgain } from "../engine/visit/judge-again.ts";
import { MAX_WAIT_MS } from "./verify.ts";

/** Who reads a report. */
export interface Reader {
  readonly actor: Pick<SessionActor, "accountId">;
  readonly caller: CallerRow;
}

/** What was kept of a check that the reader may see. Throws `check_not_found`. */
export async function getReport(
  { database }: Deps,
  { caller }: Reader,
  id: string,
): Promise<StoredReport> {
  const report = await findReport(database.sql, caller, id);
  if (report === undefined) throw new AppError("check_not_found", {});
  return report;
}

/** A report, and by which clock it is read. */
export interface Report extends JudgedAgain {
  now: Date;
}

/**
 * The report of a check that the reader may see, judged again from its evidence in a thread, and what moves under the
 * ruleset that is asked for. Throws `check_not_found` and `busy`.
 */
export async function judgeReport(
  deps: Deps,
  reader: Reader,
  { id, language, ruleset }: { id: string; language: Language; ruleset: string | undefined },
): Promise<Report> {
  const { evidence, now } = await getReport(deps, reader, id);
  const { accountId } = reader.actor;
  const release = await deps.judgings.acquire(accountId, MAX_WAIT_MS);
  try {
    const stored = { id, evidence, language, ruleset };
    return { now, ...(await deps.threads.judgeAgain(stored, accountId, deps.stopping)) };
  } catch (error) {
    throw error instanceof Interrupted ? new AppError("busy", {}, { cause: error }) : error;
  } finally {
    release();
  }
}
