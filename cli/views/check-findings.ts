import stringWidth from "string-width";
import { docsOf } from "../check/addresses.ts";
import type { ReceivedCheck, ReceivedFinding } from "../client/received.ts";
import {
  costOf,
  describeCap,
  describeEarned,
  describeNotes,
  findCap,
  listCosts,
  listFree,
} from "../../shared/report/costs.ts";
import {
  describeObstacle,
  findPageObstacle,
  isUnjudged,
  listObstacles,
  type Obstacle,
} from "../../shared/report/obstacles.ts";
import type { ReportLanguage } from "../../shared/report/reported.ts";
import {
  describePoints,
  describeStatus,
  isSingular,
  labelText,
  say,
  WORDS,
} from "../../shared/report/words.ts";
import type { Screen } from "../terminal/io.ts";
import { hang, link, padStart, truncate, wrap } from "../terminal/layout.ts";
import { formatAdvice, formatParagraph, INDENT } from "./advice.ts";
import type { Layout, Reader } from "./check-head.ts";

const CLOSE_INDENT = "  ";
const MAX_COSTS = 5;

/** The first mention of a rule in a line, as a link to its documentation. */
function linkRule(line: string, finding: ReceivedFinding, { docsBase }: Reader, screen: Screen) {
  return line.replace(finding.id, (id) => link(id, docsOf(finding, docsBase), screen));
}

/** ` (caps the score at 79)`, behind the name of a finding that does. */
function capSuffix(check: ReceivedCheck, finding: ReceivedFinding, language: ReportLanguage) {
  const cap = findCap(check, finding);
  return cap ? ` (${describeCap(cap, language)})` : "";
}

function costLabel(finding: ReceivedFinding, language: ReportLanguage, { chalk }: Screen) {
  const style = finding.status === "fail" ? chalk.red : chalk.yellow;
  return `${style.bold(padStart(`+${describePoints(costOf(finding), language)}`, 4))}  `;
}

function formatShare(finding: ReceivedFinding, { docsBase, language }: Reader, screen: Screen) {
  const place = screen.hasLinks ? [] : [docsOf(finding, docsBase)];
  const said = [describeEarned(finding, language), ...place].join(", ");
  return hang(INDENT, said, screen.columns, screen.chalk.dim);
}

function formatWhole(
  check: ReceivedCheck,
  finding: ReceivedFinding,
  reader: Reader,
  screen: Screen,
  { hasBars, hasLabels, hasRoom }: Layout,
): string[] {
  const { chalk, columns } = screen;
  const { language } = reader;
  const indent = hasBars ? INDENT : CLOSE_INDENT;
  const name = labelText(finding.id, finding.title, language) + capSuffix(check, finding, language);
  const [first = "", ...others] = hang(
    costLabel(finding, language, screen),
    name,
    columns,
    chalk.bold,
  );
  return [
    linkRule(first, finding, reader, screen),
    ...others,
    ...(hasLabels
      ? formatAdvice(finding, reader, screen, indent)
      : formatParagraph(finding, reader, screen, indent)),
    ...(hasRoom ? formatShare(finding, reader, screen) : []),
  ];
}

function formatBrief(
  check: ReceivedCheck,
  finding: ReceivedFinding,
  reader: Reader,
  screen: Screen,
): string {
  const label = costLabel(finding, reader.language, screen);
  const suffix = capSuffix(check, finding, reader.language);
  const name = truncate(
    labelText(finding.id, finding.title, reader.language),
    screen.columns - stringWidth(label + suffix),
  );
  return label + linkRule(name, finding, reader, screen) + suffix;
}

/** What was not judged, and why. A root that is told elsewhere is only named. */
function formatObstacle(obstacle: Obstacle, isShown: boolean, reader: Reader, screen: Screen) {
  const { root, findings } = obstacle;
  const { chalk, columns } = screen;
  const ids = findings.map(({ id }) => id).join(", ");
  return [
    ...hang("", describeObstacle(obstacle, reader.language), columns, chalk.bold),
    ...(isShown ? [] : formatAdvice(root, reader, screen)),
    ...hang(INDENT, ids, columns, chalk.dim),
  ];
}

function formatObstacleLine(obstacle: Obstacle, isShown: boolean, reader: Reader, screen: Screen) {
  const said = describeObstacle(obstacle, reader.language);
  const line = isShown ? said : `${said}. ${obstacle.root.evidence}`;
  return truncate(line, screen.columns);
}

function formatFree(finding: ReceivedFinding, { language }: Reader, screen: Screen): string[] {
  const { id, status, title, evidence } = finding;
  const mark = status === "pass" ? "" : ` (${describeStatus(status, language)})`;
  return [
    ...hang("  ", labelText(id, `${title}${mark}`, language), screen.columns),
    ...hang(INDENT, evidence, screen.columns, screen.chalk.dim),
  ];
}

function describeFree(count: number, costly: number, language: ReportLanguage): string {
  if (costly === 0)
    return say(
      {
        fr: "Chaque règle rapporte ses points (--all les montre).",
        en: "Every rule earns its points (--all shows them).",
      },
      language,
    );
  const isOne = isSingular(count, language);
  const said = {
    fr: `${count} ${isOne ? "règle réussie" : "règles réussies"} ; --all montre tout.`,
    en: `${count} ${isOne ? "rule" : "rules"} passed; --all shows everything.`,
  };
  return say(said, language);
}

/** The largest costs of one page among several, a line each; the others are counted. */
export function formatCosts(check: ReceivedCheck, reader: Reader, screen: Screen): string[] {
  const costs = listCosts(check);
  const shown = costs.slice(0, MAX_COSTS);
  const left = costs.length - shown.length;
  const more = { fr: `et ${left} de plus`, en: `and ${left} more` };
  return [
    ...shown.map((finding) => formatBrief(check, finding, reader, screen)),
    ...(left > 0 ? [screen.chalk.dim(`      ${say(more, reader.language)}`)] : []),
  ];
}

/** What costs points, the largest gain first, what was not judged, and with `isWhole` the rest: blocks of lines. */
export function formatFindings(
  check: ReceivedCheck,
  reader: Reader,
  screen: Screen,
  layout: Layout,
): string[][] {
  const { isWhole, hasRoom, wholeFindings } = layout;
  const { chalk, columns } = screen;
  const { language } = reader;
  const shown = findPageObstacle(check)?.root.id;
  const costs = listCosts(check);
  const whole = costs.filter(({ id }) => id !== shown).slice(0, wholeFindings);
  const lead = costs.slice(0, costs.findLastIndex((finding) => whole.includes(finding)) + 1);
  const tellBriefly = (finding: ReceivedFinding) => formatBrief(check, finding, reader, screen);
  const obstacles = listObstacles(check);
  const isShown = ({ root }: Obstacle) => root.id === shown || !isUnjudged(root);
  const accepted = check.findings.filter(({ status }) => status === "accepted");
  const free = listFree(check).filter((finding) => !accepted.includes(finding));
  const notes = describeNotes(check);
  const rest = isWhole
    ? [
        ...free.flatMap((finding) => formatFree(finding, reader, screen)),
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
      whole.includes(finding)
        ? formatWhole(check, finding, reader, screen, layout)
        : [tellBriefly(finding)],
    ),
    costs.slice(lead.length).map(tellBriefly),
    ...(isWhole
      ? obstacles.map((one) => formatObstacle(one, isShown(one), reader, screen))
      : [obstacles.map((one) => formatObstacleLine(one, isShown(one), reader, screen))]),
    ...(isWhole ? [[chalk.bold(say(WORDS.free, language))]] : []),
    rest,
  ];
}
