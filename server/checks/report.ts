import type { SessionActor } from "../db/accounts/actors.ts";
import type { CallerRow } from "../db/accounts/callers.ts";
import { findStoredCheck, type StoredCheck } from "../db/checks/reports.ts";
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

/** What there is of a check that the reader may see. Throws `check_not_found`. */
export async function getCheck(
  { database }: Pick<Deps, "database">,
  { caller }: Pick<Reader, "caller">,
  id: string,
): Promise<StoredCheck> {
  const check = await findStoredCheck(database.sql, caller, id);
  if (check === undefined) throw new AppError("check_not_found", {});
  return check;
}

/** The evidence of a check that is done, packed. Throws `check_not_found`. */
export function getEvidence({ evidence }: StoredCheck): Buffer {
  if (evidence === null) throw new AppError("check_not_found", {});
  return evidence;
}

/** A report, and by which clock it is read. */
export interface Report extends JudgedAgain {
  now: Date;
}

/**
 * The report of a check, judged again from its evidence in a thread for the reader, and what moves under the ruleset that
 * is asked for. Throws `check_not_found` if it is not done, and `busy`.
 */
export async function judgeReport(
  deps: Deps,
  { actor: { accountId } }: Pick<Reader, "actor">,
  check: StoredCheck,
  { language, ruleset }: { language: Language; ruleset: string | undefined },
): Promise<Report> {
  const { id, now } = check;
  const evidence = getEvidence(check);
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
