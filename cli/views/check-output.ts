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
import type { ExplainedFinding } from "./check-findings.ts";
import { cleanValue } from "../terminal/json.ts";

const MAX_COSTS = 5;

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
 * Sentences begin with the command's name, items of a list do not.
 * @param subject the beginning of each line if there are several pages
 */
function listGateNotes(checked: GatedCheck, language: Language, subject = "") {
  const { check, gate } = checked;
  const isOpen = check.verdict === "inconclusive";
  const obstacles = listObstacles(check).filter(({ root }) => isOpen || !isUnjudged(root));
  const toItem = (text: string) => subject + text;
  const toSentence = (text: string) => `shipscore: ${subject}${text}`;
  return {
    notes: [
      ...obstacles.flatMap((one) => [
        toSentence(`${describeObstacle(one, language)}. ${describeAdvice(one.root, language)}`),
        ...listFixLines(one.root).map((line) => `  ${line}`),
      ]),
      ...listChanges(checked, language).map(({ kind, text }) =>
        (kind === "note" ? toSentence : toItem)(text),
      ),
      ...listAcceptedLines(checked, language).map(toSentence),
    ],
    conditions: gate.conditions.map((one) => toSentence(`${describeCondition(one, language)}.`)),
    reasons: gate.result === "met" ? [] : listReasons(checked, language).map(toItem),
  };
}

interface RunOptions {
  readonly language: Language;
  /** Null if no server documents the rules after the run. */
  readonly docsBase: URL | null;
  /** Also true for a list of one page. */
  readonly isList: boolean;
  /** A report was printed instead of the result. */
  readonly isPrinted: boolean;
  readonly isAnnotated: boolean;
}

type Draw = (screen: Screen) => Promise<string>;

/** Writes what stdout does not have: in a CI job the report, elsewhere the result of the gate. */
async function writeRest(
  io: Io,
  checked: readonly GatedCheck[],
  { language, isList, isAnnotated }: RunOptions,
  draw: Draw,
): Promise<void> {
  const log = await io.openLog();
  if (log) return io.write((await draw(log)).trimEnd());
  for (const one of checked) {
    const subject = isList ? labelText(one.url, "", language) : "";
    const { notes, conditions, reasons } = listGateNotes(one, language, subject);
    for (const line of notes) await io.note(line);
    for (const line of conditions) await io.writeLine(line);
    if (io.screen === null && !isAnnotated) for (const line of reasons) await io.note(line);
  }
  const said = describeGates(
    checked.map(({ gate }) => gate),
    language,
  );
  if (said !== "") await io.writeLine(`shipscore: ${said}.`);
}

function explain({ check }: GatedCheck, id: string): ExplainedFinding {
  const finding = check.findings.find((each) => each.id === id);
  if (finding) return { finding, obstacle: listObstacles(check, [finding])[0] };
  const ids = check.findings.map((each) => each.id);
  const list = ids.join(", ");
  throw usageError(
    { fr: `le résultat n'a pas de constat ${id}`, en: `the result has no finding ${id}` },
    { fr: `Constats possibles : ${list}`, en: `Use one of ${list}` },
  );
}

function rowOfChecked(checked: Checked): Row {
  return rowOf(COLUMNS.check, "check" in checked ? checked.check : { url: checked.url });
}

/** @throws CliError for a single page without a check, and if the finding does not exist */
export async function printRun(
  io: Io,
  flags: OutputFlags,
  checked: readonly Checked[],
  options: RunOptions,
): Promise<void> {
  const { docsBase, isList, isPrinted } = options;
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
  if (!isShown) await writeRest(io, listGated(checked), options, draw);
}
