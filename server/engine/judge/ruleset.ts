import * as z from "zod";
import { CategoryId, FindingStatus } from "../../../shared/check.ts";
import type { Rule } from "./rule.ts";
import { RULES } from "./rule-list.ts";
import points2026_2 from "./rulesets/2026.2.json" with { type: "json" };

const Points = z.number().min(0).multipleOf(0.5);

const RulesetRow = z.strictObject({
  id: z.string().regex(/^[a-z]+\.[a-z0-9-]+$/),
  category: CategoryId,
  points: Points,
  cap: z.int().min(0).max(99).nullable(),
  partial: z.record(z.string(), Points),
  statuses: z.array(FindingStatus),
});
type RulesetRow = z.infer<typeof RulesetRow>;

const RulesetFile = z.strictObject({
  version: z.string().regex(/^\d{4}\.\d+$/),
  rules: z.array(RulesetRow),
});

export interface RuledRow extends RulesetRow {
  readonly rule: Rule;
}

/** The points total 100. Every result names its ruleset. */
export interface Ruleset {
  readonly version: string;
  readonly rows: readonly RuledRow[];
}

/**
 * Leaves out rules without a row.
 * @throws Error if a row has no rule, or the points do not add up to 100
 */
export function loadRuleset(data: unknown, ruleList: readonly Rule[]): Ruleset {
  const { version, rules: rows } = RulesetFile.parse(data);
  const refuse = (fault: string) => new Error(`ruleset ${version}: ${fault}`);
  const rules = new Map(ruleList.map((rule) => [rule.id, rule]));
  const total = rows.reduce((sum, row) => sum + row.points, 0);
  if (total !== 100) throw refuse(`the points make ${total}, not 100`);
  const paired = rows.map((row) => {
    const rule = rules.get(row.id);
    if (!rule) throw refuse(`${row.id} is no rule, or is there twice`);
    if (row.cap !== null && rule.capReason === undefined)
      throw refuse(`${row.id} has a cap without its reason`);
    const excess = Object.values(row.partial).some((points) => points >= row.points);
    if (excess) throw refuse(`${row.id} has a grade worth as much as a pass`);
    rules.delete(row.id);
    return { ...row, rule };
  });
  return { version, rows: paired };
}

/**
 * The rulesets, oldest first. After the first release, no ruleset changes: each change adds a new ruleset. Old rulesets
 * keep their own lists of rules.
 */
export const RULESETS: readonly [Ruleset, ...Ruleset[]] = [loadRuleset(points2026_2, RULES)];

export const RULESET: Ruleset = RULESETS.at(-1) ?? RULESETS[0];

export function findRuleset(
  version: string,
  rulesets: readonly Ruleset[] = RULESETS,
): Ruleset | undefined {
  return rulesets.find((ruleset) => ruleset.version === version);
}
