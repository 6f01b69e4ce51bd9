import type { UncountedCheck } from "../../shared/check.ts";
import { describeObstacles, listObstacles } from "../../shared/report/obstacles.ts";
import type { Text } from "../base/language.ts";
import { findShipBefore } from "../db/deployments/ships.ts";
import { areAnswered, insertOutcome, type Said } from "../db/deployments/statuses.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { FinishedCheck } from "../engine/finished.ts";
import { notJudged } from "../projects/statuses.ts";

/** Of GitHub. */
const MAX_LENGTH = 140;

/** At most 140 characters, cut at a word. */
export function cutWords(text: string): string {
  if (text.length <= MAX_LENGTH) return text;
  const start = text.slice(0, MAX_LENGTH);
  const end = start.lastIndexOf(" ");
  return `${start.slice(0, end > 0 ? end : MAX_LENGTH - 1).replace(/[\s,:;]+$/, "")}…`;
}

/** What the project's gate says of a check. */
export interface Judged {
  met: boolean;
  /** In few words each: `score under 80`, `hdr.hsts`. */
  failures: readonly string[];
  /** The score with what is accepted; null where nothing is. */
  acceptedScore: number | null;
  acceptedCount: number;
}

const cut = ({ state, description }: Said): Said => ({ state, description: cutWords(description) });

/** What a check came to: `84/100, +3: gate met`. `difference` is to the last ship; null without one of its ruleset. */
export function describeOutcome(
  { score, verdict, answer }: Pick<FinishedCheck, "score" | "verdict" | "answer">,
  difference: number | null,
  gate: Judged | null,
): Said {
  if (verdict === "inconclusive") {
    const obstacles = listObstacles(JSON.parse(answer) as UncountedCheck);
    return cut(notJudged(describeObstacles(obstacles) || "the page could not be judged"));
  }
  const accepted = gate?.acceptedScore ?? null;
  const standing = [
    `${score}/100`,
    ...(difference === null ? [] : [`${difference < 0 ? "" : "+"}${difference}`]),
    ...(accepted === null ? [] : [`${accepted} with ${gate?.acceptedCount} accepted`]),
  ].join(", ");
  if (gate === null) return { state: "success", description: `${standing}: no gate` };
  if (gate.met) return { state: "success", description: `${standing}: gate met` };
  return cut({
    state: "failure",
    description: `${standing}: gate not met: ${gate.failures.join(", ")}`,
  });
}

/** Queues what the commits of deployments are told of their check, where their hook answers. */
export async function answerChecked(
  sql: Sql,
  ids: readonly string[],
  check: FinishedCheck,
): Promise<void> {
  if (!(await areAnswered(sql, ids))) return;
  const before = await findShipBefore(sql, ids);
  const difference = before?.ruleset === check.ruleset ? check.score - before.score : null;
  await insertOutcome(sql, ids, describeOutcome(check, difference, null));
}

/** The same of deployments that were tried for the last time. */
export const answerUnverified = (sql: Sql, ids: readonly string[], why: Text): Promise<void> =>
  insertOutcome(sql, ids, cut(notJudged(why.en)));
