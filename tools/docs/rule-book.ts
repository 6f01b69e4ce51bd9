import { CategoryId } from "../../shared/check.ts";
import { RULESET, type RuledRow } from "../../server/engine/judge/ruleset.ts";

const formatJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

function describeRule({ points, cap, rule: { title, measures, why, fix } }: RuledRow) {
  const { lines, ...words } = fix;
  return { points, cap, title, measures, why, fix: words, fixLine: lines?.join("\n") ?? null };
}

function sumPoints(id: CategoryId): number {
  const own = RULESET.rows.filter(({ category }) => category === id);
  return own.reduce((sum, { points }) => sum + points, 0);
}

/** The rules' texts are in a separate file, because of their size. */
export const RULE_BOOK_PAGES: Readonly<Record<string, () => string>> = {
  "cli/rules/ids.json": () =>
    formatJson(Object.fromEntries(RULESET.rows.map(({ id, category }) => [id, category]))),
  "cli/rules/points.json": () =>
    formatJson(Object.fromEntries(CategoryId.options.map((id) => [id, sumPoints(id)]))),
  "cli/rules/texts.json": () =>
    formatJson(Object.fromEntries(RULESET.rows.map((row) => [row.id, describeRule(row)]))),
};
