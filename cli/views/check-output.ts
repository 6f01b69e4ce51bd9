import type { ReceivedCheck } from "../client/received.ts";
import type { Checked, GatedCheck } from "../check/checked.ts";
import { describeGates } from "../../shared/report/gate-words.ts";
import { usageError } from "../terminal/errors.ts";
import { listGateNotes } from "./gate-notes.ts";
import type { OutputFlags } from "../check/output-flags.ts";
import type { Io, Screen } from "../terminal/io.ts";
import { listObstacles } from "../../shared/report/obstacles.ts";
import { printResult } from "../terminal/output.ts";
import { describeRun } from "../check/json.ts";
import type { Explained } from "./explanation.ts";
import type { Reader } from "./check-head.ts";
import { cleanText, cleanValue } from "../terminal/clean.ts";
import type { Row } from "../terminal/rows.ts";
import { COLUMNS, rowOf } from "./rows.ts";

export interface Telling extends Reader {
  /** True where a report was printed in place of the result. */
  readonly isPrinted: boolean;
  /** True where annotations tell what is wrong. */
  readonly isAnnotated: boolean;
}

type Draw = (screen: Screen) => Promise<string>;

/** True where a terminal shows the report. */
const isShown = (
  { screen }: Io,
  { json, field, quiet }: OutputFlags,
  { isPrinted }: Telling,
): boolean => screen !== null && !json && field === undefined && !quiet && !isPrinted;

/** False where a report was printed instead, and with `--quiet` on a terminal. */
const isPrinting = ({ screen }: Io, { json, field, quiet }: OutputFlags, telling: Telling) =>
  !telling.isPrinted && (screen === null || !quiet || Boolean(json) || field !== undefined);

/** Tells on stderr what stdout does not: in a CI job the report, anywhere else what came of the gate. */
async function tellRest(
  io: Io,
  checked: readonly GatedCheck[],
  { language, isAnnotated }: Telling,
  subjectOf: (one: GatedCheck) => string,
  draw: Draw,
): Promise<void> {
  const log = await io.openLog();
  if (log) return io.note((await draw(log)).trimEnd());
  for (const one of checked) {
    const { notes, conditions, reasons } = listGateNotes(one, language, subjectOf(one));
    for (const line of notes) await io.note(cleanText(line));
    for (const line of conditions) await io.tell(cleanText(line));
    if (io.screen === null && !isAnnotated)
      for (const line of reasons) await io.note(cleanText(line));
  }
  const said = describeGates(
    checked.map(({ gate }) => gate),
    language,
  );
  if (said !== "") await io.tell(`shipscore: ${said}.`);
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
  const draw: Draw = async (screen) => {
    const { formatCheckReport } = await import("./pages.ts");
    return formatCheckReport(cleanValue(checked), telling, screen, flags.all);
  };
  if (isPrinting(io, flags, telling)) await printCheck(io, flags, checked, telling, draw);
  if (flags.explain === undefined && isShown(io, flags, telling)) return;
  await tellRest(io, [checked], telling, () => "", draw);
}

async function printCheck(
  io: Io,
  flags: OutputFlags,
  checked: GatedCheck,
  reader: Reader,
  draw: Draw,
): Promise<void> {
  if (flags.explain === undefined)
    await printResult(io, flags, checked, {
      json: (one) => describeRun([one], false),
      rows: (one) => [rowOf(COLUMNS.check, one.check)],
      page: (_, screen) => draw(screen),
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
  const draw: Draw = async (screen) => {
    const { formatCheckTable } = await import("./pages.ts");
    return formatCheckTable(cleanValue(checked), telling, screen, flags.all);
  };
  if (isPrinting(io, flags, telling))
    await printResult(io, flags, checked, {
      json: (all) => describeRun(all, true),
      rows: (all) => all.map(rowOfChecked),
      page: (_, screen) => draw(screen),
    });
  if (isShown(io, flags, telling)) return;
  const gated = checked.flatMap((one) => ("check" in one ? [one] : []));
  await tellRest(io, gated, telling, ({ url }) => `${url}: `, draw);
}
