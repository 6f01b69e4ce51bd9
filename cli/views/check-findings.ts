import type { Language } from "../../shared/language.ts";
import stringWidth from "string-width";
import {
  describeEarned,
  costOf,
  describeCap,
  describeNotes,
  findCap,
  listCosts,
  listFixLines,
  listFree,
} from "../../shared/report/costs.ts";
import type { ReportedFinding } from "../../shared/report/reported.ts";
import {
  countOthers,
  describePoints,
  describeStatus,
  isSingular,
  labelText,
  say,
  typeset,
  WORDS,
} from "../../shared/report/words.ts";
import type { Screen } from "../terminal/io.ts";
import { hang, padEnd, joinBlocks, link, wrap, padStart, truncate } from "../terminal/layout.ts";
import { docsOf } from "../check/results.ts";
import {
  describeObstacles,
  type Obstacle,
  describeObstacle,
  findPageObstacle,
  isUnjudged,
  listObstacles,
} from "../../shared/report/obstacles.ts";
import type { PageScreen, Layout } from "./check-head.ts";
import type { ReceivedCheck } from "../client/api-responses.ts";

const INDENT = "      ";

/** Lines to paste are never wrapped. */
function formatAdvice(
  finding: ReportedFinding,
  { chalk, columns, language }: Screen,
  { indent = INDENT, why = "" } = {},
): string[] {
  const { evidence, fix } = finding;
  const parts = [
    { label: say(WORDS.found, language), text: evidence },
    ...(why === "" ? [] : [{ label: say(WORDS.why, language), text: why }]),
    { label: say(WORDS.fix, language), text: fix },
  ];
  const width = Math.max(...parts.map(({ label }) => stringWidth(label)));
  const below = indent + " ".repeat(width + 2);
  return [
    ...parts.flatMap(({ label, text }) =>
      hang(`${indent}${chalk.dim(padEnd(label, width))}  `, typeset(text, language), columns),
    ),
    ...formatFixLines(finding, below, chalk),
  ];
}

function formatParagraph(
  finding: ReportedFinding,
  { chalk, columns, language }: Screen,
  indent: string,
): string[] {
  const { evidence, fix } = finding;
  const advice = fix === "" ? "" : labelText(say(WORDS.fix, language), fix, language);
  return [
    ...hang(indent, typeset(`${evidence} ${advice}`, language), columns),
    ...formatFixLines(finding, indent, chalk),
  ];
}

function formatFixLines(finding: ReportedFinding, indent: string, chalk: Screen["chalk"]) {
  return listFixLines(finding).map((line) => `${indent}${chalk.cyan(line)}`);
}

export interface ExplainedFinding {
  readonly finding: ReportedFinding;
  readonly obstacle: Obstacle | undefined;
}

export function formatExplanation(
  { finding, obstacle }: ExplainedFinding,
  page: PageScreen,
): string {
  const { id, status, title } = finding;
  const { chalk, columns, docsBase, language } = page;
  const standing = obstacle
    ? labelText(
        say(WORDS.uncheckedRule, language),
        describeObstacles([obstacle], language),
        language,
      )
    : `${describeStatus(status, language)}, ${describeEarned(finding, language)}`;
  const docsUrl = docsOf(finding, docsBase);
  const advised = obstacle?.root ?? finding;
  return joinBlocks([
    wrap(labelText(id, typeset(title, language), language), columns).map((line) =>
      chalk.bold(line),
    ),
    wrap(standing, columns),
    formatAdvice(advised, page, { indent: "", why: advised.why }),
    [`${chalk.dim("Docs")}  ${link(docsUrl, docsUrl, page)}`],
  ]);
}

const CLOSE_INDENT = "  ";
const MAX_COSTS = 5;

function linkRule(line: string, finding: ReportedFinding, page: PageScreen) {
  return line.replace(finding.id, (id) => link(id, docsOf(finding, page.docsBase), page));
}

/** ` (caps the score at 79)`, or an empty text. */
function capSuffix(check: ReceivedCheck, finding: ReportedFinding, { language }: Screen) {
  const cap = findCap(check, finding);
  return cap ? ` (${describeCap(cap, language)})` : "";
}

function costLabel(finding: ReportedFinding, { chalk, language }: Screen) {
  const style = finding.status === "fail" ? chalk.red : chalk.yellow;
  return `${style.bold(padStart(`+${describePoints(costOf(finding), language)}`, 4))}  `;
}

function formatShare(finding: ReportedFinding, page: PageScreen) {
  const docs = page.hasLinks ? [] : [docsOf(finding, page.docsBase)];
  const said = [describeEarned(finding, page.language), ...docs].join(", ");
  return hang(INDENT, said, page.columns, page.chalk.dim);
}

function formatWhole(
  check: ReceivedCheck,
  finding: ReportedFinding,
  page: PageScreen,
  { hasBars, hasLabels, hasRoom }: Layout,
): string[] {
  const { chalk, columns, language } = page;
  const indent = hasBars ? INDENT : CLOSE_INDENT;
  const title = typeset(finding.title, language);
  const name = labelText(finding.id, title, language) + capSuffix(check, finding, page);
  const [first = "", ...others] = hang(costLabel(finding, page), name, columns, chalk.bold);
  return [
    linkRule(first, finding, page),
    ...others,
    ...(hasLabels
      ? formatAdvice(finding, page, { indent })
      : formatParagraph(finding, page, indent)),
    ...(hasRoom ? formatShare(finding, page) : []),
  ];
}

function formatBrief(check: ReceivedCheck, finding: ReportedFinding, page: PageScreen): string {
  const [label, suffix] = [costLabel(finding, page), capSuffix(check, finding, page)];
  const name = labelText(finding.id, typeset(finding.title, page.language), page.language);
  const shown = truncate(name, page.columns - stringWidth(label + suffix));
  return label + linkRule(shown, finding, page) + suffix;
}

/** With `isShown`, the root is explained elsewhere. */
function formatObstacle(obstacle: Obstacle, isShown: boolean, screen: Screen) {
  const { root, findings } = obstacle;
  const { chalk, columns, language } = screen;
  const ids = findings.map(({ id }) => id).join(", ");
  return [
    ...hang("", describeObstacle(obstacle, language), columns, chalk.bold),
    ...(isShown ? [] : formatAdvice(root, screen)),
    ...hang(INDENT, ids, columns, chalk.dim),
  ];
}

function formatObstacleLine(obstacle: Obstacle, isShown: boolean, screen: Screen) {
  const said = describeObstacle(obstacle, screen.language);
  const evidence = typeset(obstacle.root.evidence, screen.language);
  const line = isShown ? said : `${said}. ${evidence}`;
  return truncate(line, screen.columns);
}

function formatFree(
  { id, status, title, evidence }: ReportedFinding,
  { columns, chalk, language }: Screen,
): string[] {
  const mark = status === "pass" ? "" : ` (${describeStatus(status, language)})`;
  return [
    ...hang("  ", labelText(id, `${typeset(title, language)}${mark}`, language), columns),
    ...hang(INDENT, typeset(evidence, language), columns, chalk.dim),
  ];
}

function describeFree(count: number, costly: number, language: Language): string {
  if (costly === 0)
    return say(
      {
        fr: "Aucune règle ne perd de points (--all les affiche toutes).",
        en: "No rule costs points (--all shows all rules).",
      },
      language,
    );
  const isOne = isSingular(count, language);
  const said = {
    fr: `${count} ${isOne ? "règle réussie" : "règles réussies"} ; --all affiche tout.`,
    en: `${count} ${isOne ? "rule" : "rules"} passed; --all shows everything.`,
  };
  return say(said, language);
}

export function formatCosts(check: ReceivedCheck, page: PageScreen): string[] {
  const costs = listCosts(check);
  const shown = costs.slice(0, MAX_COSTS);
  const left = costs.length - shown.length;
  const others = countOthers(left);
  const more = { fr: `et ${others.fr}`, en: `and ${others.en}` };
  return [
    ...shown.map((finding) => formatBrief(check, finding, page)),
    ...(left > 0 ? [page.chalk.dim(INDENT + say(more, page.language))] : []),
  ];
}

export function formatFindings(check: ReceivedCheck, page: PageScreen, layout: Layout): string[][] {
  const { isWhole, hasRoom, wholeFindings } = layout;
  const { chalk, columns, language } = page;
  const shown = findPageObstacle(check)?.root.id;
  const costs = listCosts(check);
  const whole = costs.filter(({ id }) => id !== shown).slice(0, wholeFindings);
  const lead = costs.slice(0, costs.findLastIndex((finding) => whole.includes(finding)) + 1);
  const formatOne = (finding: ReportedFinding) => formatBrief(check, finding, page);
  const obstacles = listObstacles(check);
  const isShown = ({ root }: Obstacle) => root.id === shown || !isUnjudged(root);
  const accepted = check.findings.filter(({ status }) => status === "accepted");
  const free = listFree(check).filter((finding) => !accepted.includes(finding));
  const notes = typeset(describeNotes(check), language);
  const rest = isWhole
    ? [
        ...free.flatMap((finding) => formatFree(finding, page)),
        ...(notes === ""
          ? []
          : hang("  ", labelText(say(WORDS.notes, language), notes, language), columns, chalk.dim)),
      ]
    : wrap(
        describeFree(free.length, costs.length + obstacles.length + accepted.length, language),
        columns,
      );
  return [
    costs.length > 0 && hasRoom ? hang("", say(WORDS.costs, language), columns, chalk.bold) : [],
    ...lead.map((finding) =>
      whole.includes(finding) ? formatWhole(check, finding, page, layout) : [formatOne(finding)],
    ),
    costs.slice(lead.length).map(formatOne),
    ...(isWhole
      ? obstacles.map((one) => formatObstacle(one, isShown(one), page))
      : [obstacles.map((one) => formatObstacleLine(one, isShown(one), page))]),
    ...(isWhole ? [[chalk.bold(say(WORDS.free, language))]] : []),
    rest,
  ];
}
