import type { ReceivedCheck } from "../client/received.ts";
import type { Checked, GatedCheck } from "../check/checked.ts";
import { usageError } from "../terminal/errors.ts";
import { listGateNotes } from "./gate-notes.ts";
import type { OutputFlags } from "../check/output-flags.ts";
import type { Io } from "../terminal/io.ts";
import { listObstacles } from "../../shared/report/obstacles.ts";
import { printResult } from "../terminal/output.ts";
import { describeRun } from "../check/json.ts";
import type { Explained } from "./explanation.ts";
import type { Reader } from "./check-head.ts";
import { cleanText } from "../terminal/clean.ts";
import type { Row } from "../terminal/rows.ts";
import { COLUMNS, rowOf } from "./rows.ts";

/** How the result of a run is told. */
export interface Telling extends Reader {
  /** True where a report was printed in place of the result. */
  readonly isPrinted: boolean;
  /** True where annotations tell what is wrong. */
  readonly isAnnotated: boolean;
}

/** Notes what came of a gate, where no report on the terminal says so. */
async function noteGate(
  io: Io,
  { json, field, explain: explained }: OutputFlags,
  checked: Checked,
  { language, isPrinted, isAnnotated }: Telling,
  subject = "",
): Promise<void> {
  const isShown = io.screen && !json && field === undefined && !isPrinted;
  if ("error" in checked || (isShown && explained === undefined)) return;
  const tellsReasons = io.screen === null && !isAnnotated;
  for (const line of listGateNotes(checked, language, tellsReasons, subject))
    await io.note(cleanText(line));
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
  telling: Telling,
): Promise<void> {
  if ("error" in checked) throw checked.error;
  if (!telling.isPrinted) await printCheck(io, flags, checked, telling);
  await noteGate(io, flags, checked, telling);
}

async function printCheck(
  io: Io,
  flags: OutputFlags,
  checked: GatedCheck,
  reader: Reader,
): Promise<void> {
  if (flags.explain === undefined)
    await printResult(io, flags, checked, {
      json: (one) => describeRun([one], false),
      rows: (one) => [rowOf(COLUMNS.check, one.check)],
      page: async (clean, screen) => {
        const { formatCheckReport } = await import("./pages.ts");
        return formatCheckReport(clean, reader, screen, flags.all);
      },
    });
  else
    await printResult(io, flags, explain(checked.check, flags.explain), {
      json: ({ finding }) => finding,
      rows: ({ finding }) => [rowOf(COLUMNS["check --explain"], finding)],
      page: async (explained, screen) => {
        const { formatExplanation } = await import("./pages.ts");
        return formatExplanation(explained, reader, screen);
      },
    });
}

function rowOfChecked(checked: Checked): Row {
  return rowOf(COLUMNS.check, "check" in checked ? checked.check : { url: checked.url });
}

/** Prints the checks of several URLs as a table, rows or JSON, and on stderr what came of their gates. */
export async function printCheckList(
  io: Io,
  flags: OutputFlags,
  checked: readonly Checked[],
  telling: Telling,
): Promise<void> {
  if (!telling.isPrinted)
    await printResult(io, flags, checked, {
      json: (all) => describeRun(all, true),
      rows: (all) => all.map(rowOfChecked),
      page: async (clean, screen) => {
        const { formatCheckTable } = await import("./pages.ts");
        return formatCheckTable(clean, telling.language, screen);
      },
    });
  for (const one of checked) await noteGate(io, flags, one, telling, `${one.url}: `);
}
