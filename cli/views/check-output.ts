import type { Language } from "../../shared/language.ts";
import { listChanges } from "../../shared/report/changes.ts";
import { listAcceptedLines, withoutAccepted } from "../../shared/report/accepted.ts";
import { type GatedCheck, type Checked, listGated, describeRun } from "../check/results.ts";
import { describeCondition, describeGates } from "../../shared/report/gate-words.ts";
import {
  costOf,
  describeCap,
  describeAdvice,
  listFixLines,
  findCap,
  listCaps,
  listCosts,
} from "../../shared/report/costs.ts";
import { describeObstacle, isUnjudged, listObstacles } from "../../shared/report/obstacles.ts";

import { describePoints, labelText } from "../../shared/report/words.ts";
import { usageError } from "../terminal/errors.ts";
import type { OutputFlags } from "../check/gate-flags.ts";
import type { Io, Screen } from "../terminal/io.ts";
import { printResult, COLUMNS, type Row, rowOf } from "./rows.ts";
import type { Explained } from "./check-findings.ts";
import { cleanValue } from "../terminal/json.ts";

const MAX_COSTS = 5;

/** What makes a score low: a line for each cap, lowest first, then for each of the largest other costs. */
function listReasons(checked: GatedCheck, language: Language): string[] {
  const check = withoutAccepted(checked);
  const costs = listCosts(check).filter((finding) => !findCap(check, finding));
  return [
    ...listCaps(check).map((cap) =>
      labelText(`${cap.findingId} ${describeCap(cap, language)}`, cap.reason, language),
    ),
    ...costs.slice(0, MAX_COSTS).map((finding) => {
      const cost = describePoints(costOf(finding), language);
      return labelText(`+${cost} ${finding.id}`, finding.title, language);
    }),
  ];
}

/**
 * What stderr says of a page: `notes` tell why it could not be judged, what to do first, and what changed; `reasons`, what
 * makes the score low where the gate is not met. Lines of a list begin with what they list, others with the command's name.
 * @param subject what a line begins with where there are several pages
 */
function listGateNotes(checked: GatedCheck, language: Language, subject = "") {
  const { check, gate } = checked;
  const isOpen = check.verdict === "inconclusive";
  const obstacles = listObstacles(check).filter(({ root }) => isOpen || !isUnjudged(root));
  const list = (text: string) => subject + text;
  const tell = (text: string) => `shipscore: ${subject}${text}`;
  return {
    notes: [
      ...obstacles.flatMap((one) => [
        tell(`${describeObstacle(one, language)}. ${describeAdvice(one.root, language)}`),
        ...listFixLines(one.root).map((line) => `  ${line}`),
      ]),
      ...listChanges(checked, language).map(({ kind, text }) =>
        (kind === "note" ? tell : list)(text),
      ),
      ...listAcceptedLines(checked, language).map(tell),
    ],
    conditions: gate.conditions.map((one) => tell(`${describeCondition(one, language)}.`)),
    reasons: gate.result === "met" ? [] : listReasons(checked, language).map(list),
  };
}

interface Telling {
  readonly language: Language;
  /** The server that documents the rules; null where none will be there. */
  readonly docsBase: URL | null;
  /** True where the result is a list, even of one page. */
  readonly isList: boolean;
  /** True where a report was printed in place of the result. */
  readonly isPrinted: boolean;
  /** True where annotations tell what is wrong. */
  readonly isAnnotated: boolean;
}

type Draw = (screen: Screen) => Promise<string>;

/** Tells on stderr what stdout does not: in a CI job the report, anywhere else what came of the gate. */
async function tellRest(
  io: Io,
  checked: readonly GatedCheck[],
  { language, isList, isAnnotated }: Telling,
  draw: Draw,
): Promise<void> {
  const log = await io.openLog();
  if (log) return io.write((await draw(log)).trimEnd());
  for (const one of checked) {
    const subject = isList ? `${one.url}: ` : "";
    const { notes, conditions, reasons } = listGateNotes(one, language, subject);
    for (const line of notes) await io.note(line);
    for (const line of conditions) await io.tell(line);
    if (io.screen === null && !isAnnotated) for (const line of reasons) await io.note(line);
  }
  const said = describeGates(
    checked.map(({ gate }) => gate),
    language,
  );
  if (said !== "") await io.tell(`shipscore: ${said}.`);
}

function explain({ check }: GatedCheck, id: string): Explained {
  const finding = check.findings.find((each) => each.id === id);
  if (finding) return { finding, obstacle: listObstacles(check, [finding])[0] };
  const ids = check.findings.map((each) => each.id);
  throw usageError(`the result has no finding ${id}`, `There is ${ids.join(", ")}`);
}

function rowOfChecked(checked: Checked): Row {
  return rowOf(COLUMNS.check, "check" in checked ? checked.check : { url: checked.url });
}

/**
 * Prints a run: of one page its report, of several a table; else rows, JSON or one finding. What came of the gates goes to
 * stderr.
 * @throws CliError for one page without a check, and where there is no such finding
 */
export async function printRun(
  io: Io,
  flags: OutputFlags,
  checked: readonly Checked[],
  telling: Telling,
): Promise<void> {
  const { docsBase, isList, isPrinted } = telling;
  const only = isList ? undefined : checked[0];
  if (only && "error" in only) throw only.error;
  const draw: Draw = async (screen) => {
    const page = { ...screen, docsBase };
    if (only) {
      const { formatCheckReport } = await import("./check-report.ts");
      return formatCheckReport(cleanValue(only), page, flags.all);
    }
    const { formatCheckTable } = await import("./check-table.ts");
    return formatCheckTable(cleanValue(checked), page, flags.all);
  };
  const isExplained = only !== undefined && flags.explain !== undefined;
  const isValue = flags.json === true || flags.field !== undefined;
  const isQuiet = io.screen !== null && flags.quiet === true && !isValue;
  if (!isPrinted && !isQuiet) {
    if (isExplained)
      await printResult(io, flags, explain(only, flags.explain), {
        json: ({ finding }) => finding,
        rows: ({ finding }) => [rowOf(COLUMNS["check --explain"], finding)],
        page: async (explained, screen) => {
          const { formatExplanation } = await import("./check-findings.ts");
          return formatExplanation(explained, { ...screen, docsBase });
        },
      });
    else
      await printResult(io, flags, checked, {
        json: (all) => describeRun(all, isList),
        rows: (all) => all.map(rowOfChecked),
        page: (_, screen) => draw(screen),
      });
  }
  const isShown = io.screen !== null && !isPrinted && !isQuiet && !isValue && !isExplained;
  if (!isShown) await tellRest(io, listGated(checked), telling, draw);
}
