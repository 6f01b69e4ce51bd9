import type { UncountedCheck } from "../../shared/check.ts";
import { describeObstacles, listObstacles } from "../../shared/report/obstacles.ts";
import type { Text } from "../base/language.ts";
import { findShipBefore } from "../db/deployments/ships.ts";
import { findGate } from "../db/projects/gates.ts";
import { areAnswered, insertOutcome, type Said } from "../db/deployments/statuses.ts";
import type { ClaimedDeployments } from "../db/deployments/deployment-claims.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps } from "../deps.ts";
import { judgeKept } from "../checks/report.ts";
import { judgeGate, type JudgedGate } from "../projects/gates.ts";
import type { FinishedCheck } from "../engine/finished.ts";
import { notJudged } from "../projects/statuses.ts";

/** What GitHub takes. */
const MAX_LENGTH = 140;

/** At most 140 characters, cut at a word. */
export function cutWords(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const start = text.slice(0, MAX_LENGTH);
  const end = start.lastIndexOf(" ");
  return `${start.slice(0, end > 0 ? end : MAX_LENGTH - 1).replace(/[\s,:;]+$/, "")}…`;
}

const cut = ({ state, description }: Said): Said => ({ state, description: cutWords(description) });

/** What a check came to by its project's gate: `84/100, +3: gate met`. */
export function describeOutcome(
  { verdict, ...check }: Pick<UncountedCheck, "verdict" | "findings" | "caps">,
  gate: JudgedGate,
): Said {
  if (verdict === "inconclusive") {
    const why = describeObstacles(listObstacles(check));
    return cut(notJudged(why || "the page could not be judged"));
  }
  const { score, difference, acceptedScore, acceptedCount, failures } = gate;
  const standing = [
    `${score}/100`,
    ...(difference === null ? [] : [`${difference < 0 ? "" : "+"}${difference}`]),
    ...(acceptedScore === null ? [] : [`${acceptedScore} with ${acceptedCount} accepted`]),
  ].join(", ");
  if (!gate.isAsked) return { state: "success", description: `${standing}: no gate` };
  if (gate.met) return { state: "success", description: `${standing}: gate met` };
  const description = `${standing}: gate not met: ${failures.join(", ")}`;
  return cut({ state: "failure", description });
}

/**
 * What the commits of deployments are to be told of their finished check, judged before the transaction that ends their claim;
 * undefined where no hook answers. Throws `busy`.
 */
export async function judgeOutcome(
  deps: Deps,
  { ids, projectId, accountId }: Pick<ClaimedDeployments, "ids" | "projectId" | "accountId">,
  { answer }: FinishedCheck,
): Promise<Said | undefined> {
  const { sql } = deps.database;
  if (!(await areAnswered(sql, ids))) return undefined;
  const check = JSON.parse(answer) as UncountedCheck;
  const gate = await findGate(sql, projectId);
  const before = await findShipBefore(sql, ids);
  const kept = gate.failOnNew && before ? [before] : [];
  const [earlier] = await judgeKept(deps, { actor: { accountId } }, "fr", kept);
  return describeOutcome(
    check,
    judgeGate(gate, check, before ? { ...before, check: earlier } : null),
  );
}

/** Queues what is told of deployments that were tried for the last time. */
export const answerUnverified = (sql: Sql, ids: readonly string[], why: Text): Promise<void> =>
  insertOutcome(sql, ids, cut(notJudged(why.en)));
