import type { Language } from "../../shared/language.ts";
import {
  type Checked,
  listChecks,
  listGated,
  listCommonAccepted,
  listCommonCosts,
  sortByScore,
} from "../check/results.ts";
import { describeAdvice, listFixLines } from "../../shared/report/costs.ts";
import { describeObstacles, findPageObstacle } from "../../shared/report/obstacles.ts";

import { describeVerdict, isSingular, labelText, say, WORDS } from "../../shared/report/words.ts";
import { verdictOf } from "../../shared/verdict.ts";
import type { Screen } from "../terminal/io.ts";
import { type Column, formatTable, hang, joinBlocks } from "../terminal/layout.ts";
import { verdictStyle } from "../terminal/words.ts";
import { listAcceptedLines, withoutAccepted } from "../../shared/report/accepted.ts";
import { formatCosts, formatFindings } from "./check-findings.ts";
import type { PageScreen } from "./check-head.ts";
import { describeQuota, formatGates, WHOLE, formatComparison } from "./check-report.ts";

function scoreColumn({ chalk }: Screen): Column {
  const style = (text: string) =>
    /\d/.test(text) ? verdictStyle(verdictOf(Number(text)), chalk)(text) : chalk.red(text);
  return { title: "SCORE", align: "right", style };
}

function describeOutcome(checked: Checked, language: Language): string {
  return "check" in checked
    ? describeVerdict(checked.check.verdict, language)
    : say(WORDS.notChecked, language);
}

function formatObstacles(checked: readonly Checked[], { columns, language }: Screen): string[] {
  return listGated(checked).flatMap((one) => {
    const obstacle = findPageObstacle(one.check);
    if (obstacle === undefined) return [];
    const { root } = obstacle;
    const name = describeObstacles([obstacle], language);
    const why = labelText(name, describeAdvice(root, language), language);
    return [
      ...hang("", labelText(one.url, why, language), columns),
      ...listFixLines(root).map((line) => `  ${line}`),
    ];
  });
}

function formatPages(checked: readonly Checked[], screen: PageScreen, isWhole: boolean): string[] {
  const { columns, chalk, language } = screen;
  const pages = listGated(checked).flatMap((one) => {
    const lines = isWhole
      ? formatFindings(withoutAccepted(one), screen, WHOLE).flat()
      : formatCosts(withoutAccepted(one), screen);
    const [score] = listAcceptedLines(one, language);
    if (lines.length === 0 && score === undefined) return [];
    const name = score === undefined ? one.url : labelText(one.url, score, language);
    return [["", ...hang("", name, columns, chalk.bold), ...lines]];
  });
  return pages.flat().slice(1);
}

function formatChanges(checked: readonly Checked[], screen: Screen): string[] {
  return listGated(checked).flatMap((one) =>
    formatComparison(one, screen, true, labelText(one.url, "", screen.language)),
  );
}

function countChecked(count: number, total: number, language: Language): string {
  return {
    fr: `${count} URL ${isSingular(count, "fr") ? "vérifiée" : "vérifiées"} sur ${total}`,
    en: `${count} of ${total} ${isSingular(total, "en") ? "URL" : "URLs"} checked`,
  }[language];
}

function describeTotals(checked: readonly Checked[], language: Language): string {
  const checks = listChecks(checked);
  const count = countChecked(checks.length, checked.length, language);
  const left = Math.min(...checks.map(({ quota }) => quota.remaining));
  const [first] = checks;
  if (first === undefined || checked.some((one) => "isSaved" in one)) return `${count}.`;
  const quota = describeQuota(left, first.quota.limit, language);
  return { fr: `${count}. ${quota}`, en: `${count}; ${quota}` }[language];
}

export function formatCheckTable(
  checked: readonly Checked[],
  screen: PageScreen,
  isWhole = false,
): string {
  const { columns: width, language } = screen;
  const columns = [scoreColumn(screen), { title: "VERDICT" }, { title: "URL" }];
  const rows = sortByScore(checked).map((one) => [
    "check" in one ? String(one.check.score) : "-",
    describeOutcome(one, language),
    one.url,
  ]);
  const common = [...listCommonCosts(checked, language), ...listCommonAccepted(checked, language)];
  const gates = listGated(checked).map(({ gate, url }) => ({
    gate,
    subject: labelText(url, "", language),
  }));
  return joinBlocks([
    [formatTable(columns, rows, screen).trimEnd()],
    common.flatMap((line) => hang("", line, width)),
    formatPages(checked, screen, isWhole),
    formatObstacles(checked, screen),
    formatChanges(checked, screen),
    formatGates(gates, screen),
    [screen.chalk.dim(describeTotals(checked, language))],
  ]);
}
