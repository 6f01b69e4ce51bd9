import * as z from "zod";
import { CategoryId, FindingStatus } from "../../shared/check.ts";
import type { Rule } from "./rule.ts";
import { RULES } from "./rule-list.ts";
import data from "./ruleset.json" with { type: "json" };

const Points = z.number().min(0).multipleOf(0.5);

const Row = z.strictObject({
  id: z.string().regex(/^[a-z]+\.[a-z0-9-]+$/),
  category: CategoryId,
  points: Points,
  /** The score's upper limit when the rule fails. */
  cap: z.int().min(0).max(99).nullable(),
  /** The points of each grade of `partial`. */
  partial: z.record(z.string(), Points),
  statuses: z.array(FindingStatus),
});
export type Row = z.infer<typeof Row>;

const Ruleset = z.strictObject({ version: z.string().regex(/^\d{4}\.\d+$/), rules: z.array(Row) });

export interface RuledRow extends Row {
  readonly rule: Rule;
}

/** Pairs each row with its rule; throws when they do not match one to one or the points do not make 100. */
function pairRows(rows: readonly Row[]): RuledRow[] {
  const rules = new Map(RULES.map((rule) => [rule.id, rule]));
  const total = rows.reduce((sum, row) => sum + row.points, 0);
  if (total !== 100) throw new Error(`the ruleset's points make ${total}, not 100`);
  if (rules.size !== RULES.length) throw new Error("two rules have the same id");
  const paired = rows.map((row) => {
    const rule = rules.get(row.id);
    if (!rule) throw new Error(`${row.id} is in the ruleset, but is no rule`);
    if ((row.cap === null) !== (rule.capReason === undefined))
      throw new Error(`${row.id} has a cap without its reason, or a reason without its cap`);
    rules.delete(row.id);
    return { ...row, rule };
  });
  if (rules.size > 0) throw new Error(`not in the ruleset: ${[...rules.keys()].join(", ")}`);
  return paired;
}

const ruleset = Ruleset.parse(data);

/** The version that every result names: a change of points or of a rule's text makes a new one. */
export const RULESET_VERSION = ruleset.version;

/** The ruleset's rows in order, each with its rule. */
export const ROWS: readonly RuledRow[] = pairRows(ruleset.rules);
