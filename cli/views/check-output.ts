import type { ReceivedCheck } from "../client/received.ts";
import type { Checked, GatedCheck } from "../check/checked.ts";
import { usageError } from "../terminal/errors.ts";
import { describeCondition } from "../check/gate.ts";
import type { OutputFlags } from "../check/output-flags.ts";
import type { Io } from "../terminal/io.ts";
import { describeObstacle, isUnjudged, listObstacles } from "../../shared/report/obstacles.ts";
import { printResult } from "../terminal/output.ts";
import { describeFinding } from "../../shared/report/costs.ts";
import { describeCheck, describeList } from "../check/json.ts";
import type { Explained } from "./check-findings.ts";
import type { Reader } from "./check-head.ts";
import { cleanText } from "../terminal/clean.ts";
import type { Row } from "../terminal/rows.ts";
import type { ReportLanguage } from "../../shared/report/reported.ts";
import { listChanges } from "./comparison.ts";
import { COLUMNS, rowOf } from "./rows.ts";

/** Notes why a page could not be judged, what to do first, what changed and what came of the gate, where no report says so. */
async function noteGate(
  io: Io,
  checked: GatedCheck,
  language: ReportLanguage,
  subject = "",
): Promise<void> {
  const { check, gate } = checked;
  const isOpen = check.verdict === "inconclusive";
  const obstacles = listObstacles(check).filter(({ root }) => isOpen || !isUnjudged(root));
  const lines = [
    ...obstacles.map((one) => `${describeObstacle(one, language)}. ${describeFinding(one.root)}`),
    ...listChanges(checked, language).map(({ text }) => text),
    ...gate.conditions.map((condition) => `${describeCondition(condition, language)}.`),
  ];
  for (const line of lines) await io.note(cleanText(`shipscore: ${subject}${line}`));
}

function explain(check: ReceivedCheck, id: string): Explained {
  const finding = check.findings.find((each) => each.id === id);
  if (finding) return { finding, obstacle: listObstacles(check, [finding])[0] };
  const ids = check.findings.map((each) => each.id);
  throw usageError(`the result has no finding ${id}`, `There is ${ids.join(", ")}`);
}

/** Prints the check of one URL as a report, a row or JSON, or one finding of it. @throws CliError where there is none */
export async function printSingleCheck(
  io: Io,
  flags: OutputFlags,
  checked: Checked,
  reader: Reader,
): Promise<void> {
  if ("error" in checked) throw checked.error;
  const { check } = checked;
  if (flags.explain === undefined)
    await printResult(io, flags, checked, {
      json: describeCheck,
      rows: (one) => [rowOf(COLUMNS.check, one.check)],
      page: async (clean, screen) => {
        const { formatCheckReport } = await import("./check-report.ts");
        return formatCheckReport(clean, reader, screen, flags.all);
      },
    });
  else
    await printResult(io, flags, explain(check, flags.explain), {
      json: ({ finding }) => finding,
      rows: ({ finding }) => [rowOf(COLUMNS["check --explain"], finding)],
      page: async (explained, screen) => {
        const { formatExplanation } = await import("./check-findings.ts");
        return formatExplanation(explained, reader, screen);
      },
    });
  const isShown = io.screen !== null && !flags.json && flags.field === undefined;
  if (!isShown || flags.explain !== undefined) await noteGate(io, checked, reader.language);
}

function rowOfChecked(checked: Checked): Row {
  return rowOf(COLUMNS.check, "check" in checked ? checked.check : { url: checked.url });
}

/** Prints the checks of several URLs as a table, rows or JSON, and on stderr what came of their gates. */
export async function printCheckList(
  io: Io,
  flags: OutputFlags,
  checked: readonly Checked[],
  { language }: Reader,
): Promise<void> {
  await printResult(io, flags, checked, {
    json: describeList,
    rows: (all) => all.map(rowOfChecked),
    page: async (clean, screen) => {
      const { formatCheckTable } = await import("./check-table.ts");
      return formatCheckTable(clean, language, screen);
    },
  });
  if (io.screen !== null && !flags.json) return;
  for (const one of checked) if ("gate" in one) await noteGate(io, one, language, `${one.url}: `);
}
