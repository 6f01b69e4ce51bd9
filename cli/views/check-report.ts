import { describeMoment } from "../../shared/report/times.ts";
import type { Language, Text } from "../../shared/language.ts";
import { type ChangeLine, type Compared, listChanges } from "../../shared/report/changes.ts";
import type { Screen } from "../terminal/io.ts";
import { hang } from "../terminal/layout.ts";
import {
  describeScored,
  listAcceptedLines,
  withoutAccepted,
} from "../../shared/report/accepted.ts";
import type { GatedCheck } from "../check/results.ts";
import type { ReceivedCheck } from "../client/api-responses.ts";
import type { Gate } from "../../shared/report/gate.ts";
import { describeCondition, describeGates } from "../../shared/report/gate-words.ts";
import { listCosts } from "../../shared/report/costs.ts";
import { describeCount, say } from "../../shared/report/words.ts";

import { countOf, verdictStyle } from "../terminal/words.ts";
import { formatFindings } from "./check-findings.ts";
import {
  type Layout,
  type PageScreen,
  formatCaps,
  formatCategories,
  formatHead,
  formatPageObstacle,
} from "./check-head.ts";

const COLORS: Readonly<Record<ChangeLine["kind"], "dim" | "red" | "green" | "yellow">> = {
  note: "dim",
  worse: "red",
  fixed: "green",
  unjudged: "yellow",
  unchanged: "dim",
};

export function formatComparison(
  checked: Compared,
  { chalk, columns, language }: Screen,
  isGrouped: boolean,
  subject = "",
): string[] {
  return listChanges(checked, language, isGrouped).flatMap(({ kind, text }) =>
    hang("", subject + text, columns, chalk[COLORS[kind]]),
  );
}

const SAVED: Text = { fr: "Résultat enregistré le", en: "Result saved on" };

type ShownCheck = Pick<GatedCheck, "check" | "gate" | "comparison" | "isSaved">;

export function formatGates(
  pages: readonly { readonly gate: Gate; readonly subject: string }[],
  { chalk, canDraw, columns, language }: Screen,
): string[] {
  const styleOf = (isMet: boolean) => (isMet ? chalk.green : chalk.red);
  const lines = pages.flatMap(({ gate, subject }) =>
    gate.conditions.flatMap((condition) => {
      const style = styleOf(condition.isMet);
      const mark = canDraw ? style(condition.isMet ? "✓ " : "✗ ") : "";
      return hang(mark, subject + describeCondition(condition, language), columns, style);
    }),
  );
  const gates = pages.map(({ gate }) => gate);
  const isMet = gates.every(({ conditions }) => conditions.every((one) => one.isMet));
  return lines.length === 0 ? [] : [...lines, styleOf(isMet).bold(describeGates(gates, language))];
}

export function describeQuota(remaining: number, limit: number, language: Language): string {
  const said = {
    fr: `Il reste ${countOf(remaining, "check").fr} sur ${describeCount(limit, "fr")} ce mois-ci.`,
    en: `${describeCount(remaining, "en")} of ${countOf(limit, "check").en} left this month.`,
  };
  return say(said, language);
}

function formatQuota({ check, isSaved }: ShownCheck, { chalk, language }: Screen): string {
  const { quota, checkedAt } = check;
  if (isSaved)
    return chalk.dim(
      `${say(SAVED, language)} ${describeMoment(new Date(checkedAt), { language })}.`,
    );
  const left = describeQuota(quota.remaining, quota.limit, language);
  return quota.remaining === 0 ? chalk.yellow(left) : chalk.dim(left);
}

/** Comes last, because the last lines stay visible. */
function formatTail(checked: ShownCheck, screen: Screen): string[] {
  const { verdict } = checked.check;
  const { chalk, columns, language } = screen;
  const [, ...accepted] = listAcceptedLines(checked, language);
  return [
    ...accepted.flatMap((line) => hang("", line, columns, chalk.dim)),
    ...formatGates([{ gate: checked.gate, subject: "" }], screen),
    formatQuota(checked, screen),
    verdictStyle(verdict, chalk).bold(describeScored(checked, language)),
  ];
}

function compose(checked: ShownCheck, page: PageScreen, layout: Layout): string[] {
  const { check } = checked;
  const head = formatHead(check, page, layout);
  const caps = formatCaps(check, page, layout);
  const categories = formatCategories(check, page, layout);
  const findings = formatFindings(withoutAccepted(checked), page, layout);
  return [
    formatPageObstacle(check, page),
    ...(layout.hasSections ? [head, caps, categories] : [[...head, ...caps, ...categories]]),
    ...(layout.hasRoom ? findings : [findings.flat()]),
    formatComparison(checked, page, !layout.hasRoom),
    formatTail(checked, page),
  ]
    .filter((lines) => lines.length > 0)
    .flatMap((lines) => [...lines, ""])
    .slice(0, -1);
}

const LOOSE: Layout = {
  isWhole: false,
  hasRoom: true,
  hasSections: true,
  hasPairs: false,
  hasBars: true,
  hasLabels: true,
  wholeFindings: 3,
};
export const WHOLE: Layout = { ...LOOSE, isWhole: true, wholeFindings: Infinity };
const SECTIONS: Layout = { ...LOOSE, hasRoom: false };
const CLOSE: Layout = { ...SECTIONS, hasSections: false };
const PAIRED: Layout = { ...CLOSE, hasPairs: true };
const DENSE: Layout = { ...CLOSE, hasBars: false };
const PLAIN: Layout = { ...DENSE, hasLabels: false };
/** For a gate or changes since a baseline that are longer than a screen: a shorter layout of the rest would not help. */
const OUTGROWN = PAIRED;
const LAYOUTS = [
  LOOSE,
  SECTIONS,
  CLOSE,
  PAIRED,
  DENSE,
  PLAIN,
  { ...PLAIN, wholeFindings: 2 },
  { ...PLAIN, wholeFindings: 1 },
];

const USUAL_COSTS = 12;

function linesOf(check: ReceivedCheck, { columns }: Screen): number {
  return (columns < 80 ? 50 : 45) + Math.max(0, listCosts(check).length - USUAL_COSTS);
}

export function formatCheckReport(checked: ShownCheck, page: PageScreen, isWhole = false): string {
  if (isWhole) return `${compose(checked, page, WHOLE).join("\n")}\n`;
  for (const layout of LAYOUTS) {
    const lines = compose(checked, page, layout);
    if (lines.length <= linesOf(checked.check, page)) return `${lines.join("\n")}\n`;
  }
  return `${compose(checked, page, OUTGROWN).join("\n")}\n`;
}
