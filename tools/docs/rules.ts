import { CategoryId } from "../../shared/check.ts";
import type { Text } from "../../shared/language.ts";
import { RULESET, type RuledRow } from "../../server/engine/judge/ruleset.ts";
import { CATEGORIES, STATUSES } from "../../shared/report/words.ts";
import { STATUS_MEANINGS, WORDS } from "../../server/web/pages/public/rules-page.tsx";

function describePoints({ points, partial }: RuledRow): string {
  const grades = Object.entries(partial).map(([grade, worth]) => `${grade} ${worth}`);
  return grades.length > 0 ? `${points} (partial: ${grades.join(", ")})` : String(points);
}

function describeRule(row: RuledRow): string {
  const { id, cap, rule, statuses } = row;
  const { capReason, measures, why, fix, standard, title } = rule;
  const items = [
    formatItem(WORDS.points, describePoints(row)),
    ...(capReason ? [formatItem(WORDS.cap, `${cap}. ${escapeMarkup(capReason.en)}`)] : []),
    formatItem(WORDS.measures, escapeMarkup(measures.en)),
    formatItem(WORDS.why, escapeMarkup(why.en)),
    formatItem(WORDS.fix, escapeMarkup(fix.en)),
    ...(fix.lines ? ["  ```", ...fix.lines.map((line) => `  ${line}`), "  ```"] : []),
    formatItem(WORDS.statuses, statuses.map((status) => STATUSES[status].en).join(", ")),
    formatItem(WORDS.standard, `[${standard.name}](${standard.url})`),
  ];
  return `<a id="${id}"></a>\n\n### ${id}: ${escapeMarkup(title.en)}\n\n${items.join("\n")}`;
}

function formatItem(name: Text, markup: string): string {
  return `- **${name.en}**: ${markup}`;
}

function escapeMarkup(words: string): string {
  return words.replaceAll("<", "&lt;").replaceAll("*", String.raw`\*`);
}

function describeCategory(id: CategoryId): string {
  const rows = RULESET.rows.filter(({ category }) => category === id);
  return `## ${CATEGORIES[id].en}\n\n${rows.map(describeRule).join("\n\n")}`;
}

export function describeRules(): string {
  const categories = CategoryId.options.map((id) => {
    const rows = RULESET.rows.filter(({ category }) => category === id);
    const points = rows.reduce((sum, row) => sum + row.points, 0);
    return `| ${CATEGORIES[id].en} | ${rows.length} | ${points} |`;
  });
  const statuses = Object.entries(STATUSES).map(
    ([id, words]) => `- **${words.en}**: ${STATUS_MEANINGS[id as keyof typeof STATUSES].en}`,
  );
  return [
    `# ${WORDS.title.en}`,
    `Ruleset ${RULESET.version}. A server shows this page at \`/docs/rules\`, in English and in French. \`npm run docs\` generates it.`,
    WORDS.intro.en,
    WORDS.verdicts.en,
    ["| category | rules | points |", "| --- | --- | --- |", ...categories].join("\n"),
    statuses.join("\n"),
    ...CategoryId.options.map(describeCategory),
  ]
    .join("\n\n")
    .concat("\n");
}
