import type { UncountedCheck } from "../../shared/check.ts";
import type { SessionActor } from "../db/accounts/actors.ts";
import type { CallerRow } from "../db/accounts/callers.ts";
import { findStoredCheck, type StoredCheck } from "../db/checks/reports.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import type { Language } from "../../shared/language.ts";
import { Interrupted } from "../engine/visit/threads.ts";
import type { JudgedAgain, StoredEvidence } from "../engine/visit/judge-again.ts";
import { oneLineEach } from "../base/syntax/text.ts";

/** It takes milliseconds, but the thread may have to start first. */
const JUDGE_MS = 10_000;

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
export interface Report extends JudgedAgain, Pick<StoredCheck, "now" | "previousId"> {}

/**
 * The report of a check, judged again from its evidence in a thread for the reader, and what moves under the ruleset that
 * is asked for. Throws `check_not_found` if it is not done, and `busy`.
 */
export async function judgeReport(
  deps: Deps,
  reader: Pick<Reader, "actor">,
  check: StoredCheck,
  { language, ruleset }: { language: Language; ruleset: string | undefined },
): Promise<Report> {
  const { id, now, previousId } = check;
  const evidence = getEvidence(check);
  const [judged] = await judge(deps, reader, [{ id, evidence, language, ruleset }]);
  return { now, previousId, ...judged! };
}

/** Judges what was kept of checks, one after another, in a thread. Throws `busy`. */
async function judge(
  { threads, stopping }: Deps,
  { actor: { accountId: owner } }: Pick<Reader, "actor">,
  kept: readonly StoredEvidence[],
): Promise<JudgedAgain[]> {
  const judged: JudgedAgain[] = [];
  try {
    for (const order of kept) {
      const task = { kind: "judgeAgain", order, known: [] } as const;
      const options = { owner, maxMs: JUDGE_MS, signal: stopping };
      judged.push((await threads.run(task, options)).result);
    }
    return judged;
  } catch (error) {
    throw error instanceof Interrupted ? new AppError("busy", {}, { cause: error }) : error;
  }
}

const MAX_TEXT_LENGTH = 1200;

/** The checks that this evidence is of, judged by their own rulesets; undefined where there is none. Throws `busy`. */
export async function judgeKept(
  deps: Deps,
  reader: Pick<Reader, "actor">,
  language: Language,
  kept: readonly { id: string | null; evidence: Buffer | null }[],
): Promise<(UncountedCheck | undefined)[]> {
  const stored = kept.flatMap(({ id, evidence }) =>
    id === null || evidence === null ? [] : [{ id, evidence, language }],
  );
  if (stored.length === 0) return [];
  const judged = await judge(deps, reader, stored);
  const checks = judged.map(({ check }) => oneLineEach(check, MAX_TEXT_LENGTH));
  return kept.map(({ id }) => checks.find((check) => check.id === id));
}
