import type { UncountedCheck } from "../../shared/check.ts";
import type { SessionActor } from "../db/accounts/actors.ts";
import type { CallerRow } from "../db/accounts/callers.ts";
import { findStoredCheck, type StoredCheck } from "../db/checks/reports.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import type { Language } from "../../shared/language.ts";
import { Interrupted } from "../engine/visit/threads.ts";
import type { JudgedAgain, StoredEvidence } from "../engine/visit/judge-again.ts";
import { oneLine, oneLineEach } from "../base/syntax/text.ts";

/** The work takes milliseconds, but the thread may have to start first. */
const JUDGE_MS = 10_000;

export interface Reader {
  readonly actor: Pick<SessionActor, "accountId">;
  readonly caller: CallerRow;
}

/** Throws `check_not_found`, also for a check that the reader may not see. */
export async function getCheck(
  { database }: Pick<Deps, "database">,
  { caller }: Pick<Reader, "caller">,
  id: string,
): Promise<StoredCheck> {
  const check = await findStoredCheck(database.sql, caller, id);
  if (check === undefined) throw new AppError("check_not_found", {});
  return check;
}

/** Throws `check_not_found` if the check is not done. */
export function getEvidence({ evidence }: StoredCheck): Buffer {
  if (evidence === null) throw new AppError("check_not_found", {});
  return evidence;
}

/** `now` is the database's time, for relative times in the report. */
export interface Report extends JudgedAgain, Pick<StoredCheck, "now" | "previousId"> {}

/** With a `ruleset`, the report also shows what changes under it. Throws `check_not_found`, `evidence_outdated` and `busy`. */
export async function judgeReport(
  deps: Deps,
  reader: Pick<Reader, "actor">,
  check: StoredCheck,
  { language, ruleset }: { language: Language; ruleset: string | undefined },
): Promise<Report> {
  const { id, now, previousId } = check;
  const evidence = getEvidence(check);
  const [judged] = await judge(deps, reader, [{ id, evidence, language, ruleset }]);
  if (!judged) throw new AppError("evidence_outdated", { name: `Check ${id}` });
  return { now, previousId, ...judged };
}

async function judge(
  { threads, stopping }: Deps,
  { actor: { accountId: owner } }: Pick<Reader, "actor">,
  kept: readonly StoredEvidence[],
): Promise<(JudgedAgain | null)[]> {
  const judged: (JudgedAgain | null)[] = [];
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

/** Puts each text, which the site may have chosen, on one line, and each line to paste on its own. */
export const cleanCheck = <Shown extends UncountedCheck>(check: Shown): Shown => ({
  ...oneLineEach({ ...check, findings: [] }, MAX_TEXT_LENGTH),
  findings: check.findings.map((finding) => {
    const lines = finding.fixLine?.split("\n").map((line) => oneLine(line, MAX_TEXT_LENGTH));
    return { ...oneLineEach(finding, MAX_TEXT_LENGTH), fixLine: lines?.join("\n") ?? null };
  }),
});

/** Assesses each check with its own ruleset. Returns undefined for a check without evidence of this version. Throws `busy`. */
export async function judgeStored(
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
  const checks = judged.flatMap((one) => (one ? [cleanCheck(one.check)] : []));
  return kept.map(({ id }) => checks.find((check) => check.id === id));
}
