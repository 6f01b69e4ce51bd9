import stringWidth from "string-width";
import type { ReceivedCheck } from "../client/api-responses.ts";
import { listCircumstances } from "../../shared/report/circumstances.ts";
import { listCaps, listFixLines, shareOf } from "../../shared/report/costs.ts";
import { findPageObstacle, tallyCategory } from "../../shared/report/obstacles.ts";
import {
  describeCategory,
  describePoints,
  describeUnchecked,
  describeVerdict,
  labelText,
  say,
  typeset,
  WORDS,
} from "../../shared/report/words.ts";
import { verdictOf } from "../../shared/verdict.ts";
import type { Screen } from "../terminal/io.ts";
import { drawBar, hang, padEnd, padStart, truncate, wrap } from "../terminal/layout.ts";
import { describeDuration, verdictStyle } from "../terminal/words.ts";

export interface PageScreen extends Screen {
  /** Null if no server documents the rules after the run. */
  readonly docsBase: URL | null;
}

export interface Layout {
  readonly isWhole: boolean;
  /** Headings, empty lines between findings, documentation URLs, a line for each change. */
  readonly hasRoom: boolean;
  /** Empty lines between score, caps, categories and findings. */
  readonly hasSections: boolean;
  /** Two categories on each line, if they fit. Their bars may not fit then. */
  readonly hasPairs: boolean;
  /** A bar for the score and for each category; without it, categories are one paragraph. */
  readonly hasBars: boolean;
  /** Evidence and fix separately, each after its label; without it, in one paragraph. */
  readonly hasLabels: boolean;
  /** Findings with evidence and fix; the others have one line each. */
  readonly wholeFindings: number;
}

const GAP = "  ";

export function formatPageObstacle(
  check: ReceivedCheck,
  { chalk, columns, language }: Screen,
): string[] {
  const root = findPageObstacle(check)?.root;
  if (root === undefined) return [];
  const evidence = typeset(root.evidence, language);
  const found = labelText(say(WORDS.notChecked, language), evidence, language);
  return [
    ...wrap(found, columns).map((line) => chalk.bold(line)),
    ...wrap(typeset(root.fix, language), columns),
    ...listFixLines(root).map((line) => chalk.cyan(line)),
  ];
}

/** `59/100  ████  Do not ship`. */
export function formatScore(
  { score, verdict }: Pick<ReceivedCheck, "score" | "verdict">,
  screen: Screen,
): string {
  const style = verdictStyle(verdict, screen.chalk);
  const [figure, said] = [`${score}/100`, describeVerdict(verdict, screen.language)];
  const barColumns = Math.min(50, screen.columns - figure.length - stringWidth(said) - 6);
  const bar = drawBar(score / 100, barColumns, screen, style);
  return [style.bold(figure), bar, style.bold(said)].filter(Boolean).join(GAP);
}

export function formatHead(check: ReceivedCheck, screen: Screen, { hasBars }: Layout): string[] {
  const { chalk, columns, language } = screen;
  const { score, verdict, url, finalUrl } = check;
  const readAt =
    finalUrl === url ? [] : [chalk.dim(`${say(WORDS.readAtInline, language)} ${finalUrl}`)];
  const facts = [
    `${say(WORDS.ruleset, language)} ${check.ruleset}`,
    ...listCircumstances(check, language),
    describeDuration(check.durationMs, language),
  ].join(", ");
  const said = verdictStyle(verdict, chalk).bold(
    `${score}/100 ${describeVerdict(verdict, language)}`,
  );
  return hasBars
    ? [
        url,
        ...readAt,
        formatScore(check, screen),
        ...wrap(facts, columns).map((line) => chalk.dim(line)),
      ]
    : [...wrapWhole([url, ...readAt], columns), ...wrapWhole([said, chalk.dim(facts)], columns)];
}

function wrapWhole(parts: readonly string[], columns: number): string[] {
  const line = parts.join(", ");
  return stringWidth(line) <= columns ? [line] : [...parts];
}

export function formatCaps(
  check: ReceivedCheck,
  { chalk, columns, language }: Screen,
  { isWhole, hasBars }: Layout,
): string[] {
  const caps = listCaps(check);
  return caps
    .filter(({ limit }) => isWhole || limit === caps[0]?.limit)
    .slice(0, hasBars ? Infinity : 1)
    .flatMap(({ limit, reason, findingId }) => {
      const label = `${say(WORDS.atMost, language)} ${limit}`;
      const said = hasBars
        ? `${typeset(reason, language)} (${findingId})`
        : truncate(
            labelText(findingId, typeset(reason, language), language),
            columns - stringWidth(label) - GAP.length,
          );
      return hang(`${chalk.red.bold(label)}${GAP}`, said, columns);
    });
}

/**
 * `share` is the earned part of the points, null if nothing was assessed; `judgedShare` is the earned part of the assessed
 * points.
 */
function listCategories(check: ReceivedCheck, { language }: Screen, isWhole: boolean) {
  return check.categories
    .map((category) => ({ id: category.id, ...tallyCategory(check, category) }))
    .filter(
      ({ earned, points, unjudgedPoints }) => isWhole || earned < points || unjudgedPoints > 0,
    )
    .map(({ id, earned, points, isJudged, unjudgedPoints }) => {
      const open = describeUnchecked(unjudgedPoints, language);
      return {
        name: describeCategory(id, language),
        share: isJudged ? shareOf({ earned, points }) : null,
        judgedShare: shareOf({ earned, points: points - unjudgedPoints }),
        earned: describePoints(earned, language),
        points: describePoints(points, language),
        doubt: isJudged && unjudgedPoints > 0 ? `, ${open}` : "",
      };
    });
}

function describeCategories(check: ReceivedCheck, screen: Screen): string[] {
  const { columns, language } = screen;
  const said = listCategories(check, screen, false).map(({ name, share, earned, points, doubt }) =>
    share === null
      ? `${name} ${say(WORDS.uncheckedOne, language)}`
      : `${name} ${earned} ${say(WORDS.of, language)} ${points}${doubt}`,
  );
  return wrap(said.join({ fr: "\u00a0; ", en: "; " }[language]), columns);
}

const PAIR_GAP = 4;

export function formatCategories(
  check: ReceivedCheck,
  screen: Screen,
  { isWhole, hasBars, hasPairs }: Layout,
): string[] {
  if (!hasBars) return describeCategories(check, screen);
  const { chalk, language } = screen;
  const rows = listCategories(check, screen, isWhole);
  const widest = (key: "name" | "earned" | "points" | "doubt") =>
    Math.max(...rows.map((row) => stringWidth(row[key])));
  const half = Math.floor((screen.columns - PAIR_GAP) / 2);
  const countColumns = widest("earned") + say(WORDS.of, language).length + widest("points") + 2;
  const textColumns = widest("name") + GAP.length + countColumns + widest("doubt");
  const barColumnsOf = (columns: number) => Math.min(25, columns - textColumns - GAP.length);
  const isPaired = hasPairs && textColumns <= half;
  const columns = isPaired ? half : screen.columns;
  const cells = rows.map(({ name, share, judgedShare, earned, points, doubt }) => {
    const style = verdictStyle(verdictOf(judgedShare * 100), chalk);
    const bar = drawBar(share ?? 0, barColumnsOf(columns), screen, style);
    const count = `${padStart(earned, widest("earned"))} ${say(WORDS.of, language)} ${padStart(points, widest("points"))}`;
    const said = share === null ? chalk.dim(say(WORDS.uncheckedOne, language)) : `${count}${doubt}`;
    return [padEnd(name, widest("name")), bar, said].filter(Boolean).join(GAP);
  });
  if (!isPaired) return cells;
  const left = cells.slice(0, Math.ceil(cells.length / 2));
  const width = Math.max(...left.map((cell) => stringWidth(cell)));
  return left.map((cell, index) => {
    const right = cells[left.length + index];
    return right === undefined ? cell : padEnd(cell, width + PAIR_GAP) + right;
  });
}
