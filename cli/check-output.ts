import type { CheckAnswer } from "./answers.ts";
import { listChecks, type Checked } from "./checked.ts";
import type { CommonFlags } from "./command.ts";
import { usageError } from "./errors.ts";
import { describeCondition, type Gate } from "./gate.ts";
import type { Io } from "./io.ts";
import { printResult } from "./output.ts";
import { cleanText } from "./views/clean.ts";
import { checkRow, findingRow, type Row } from "./views/rows.ts";

/** How `check` shows what it found. */
export interface CheckOutputFlags extends CommonFlags {
  readonly all?: true;
  readonly explain?: string;
}

async function noteGate(io: Io, { conditions }: Gate, subject = ""): Promise<void> {
  for (const condition of conditions)
    await io.note(cleanText(`shipscore: ${subject}${describeCondition(condition)}.`));
}

function getFinding(check: CheckAnswer, id: string): CheckAnswer["findings"][number] {
  const finding = check.findings.find((each) => each.id === id);
  if (finding) return finding;
  const ids = check.findings.map((each) => each.id);
  throw usageError(`the result has no finding ${id}`, `There is ${ids.join(", ")}`);
}

/** Prints the check of one URL: its report, row, JSON, or one finding of it. @throws CliError why there is none */
export async function printSingleCheck(
  io: Io,
  flags: CheckOutputFlags,
  checked: Checked,
  baseUrl: URL,
): Promise<void> {
  if ("error" in checked) throw checked.error;
  const { check, gate } = checked;
  if (flags.explain === undefined)
    await printResult(io, flags, check, {
      rows: (clean) => [checkRow(clean)],
      page: async (clean, screen) => {
        const { formatCheckReport } = await import("./views/check-report.ts");
        return formatCheckReport(clean, gate, baseUrl, screen, flags.all);
      },
    });
  else
    await printResult(io, flags, getFinding(check, flags.explain), {
      rows: (finding) => [findingRow(finding)],
      page: async (finding, screen) => {
        const { formatExplanation } = await import("./views/check-report.ts");
        return formatExplanation(finding, baseUrl, screen);
      },
    });
  const isShown = io.screen !== null && !flags.json && flags.field === undefined;
  if (!isShown || flags.explain !== undefined) await noteGate(io, gate);
}

function rowOf(checked: Checked): Row {
  return "check" in checked ? checkRow(checked.check) : [null, null, checked.url, null, null];
}

function listOf(checked: readonly Checked[]): unknown {
  const checks = listChecks(checked);
  const errors = checked.flatMap((one) =>
    "error" in one
      ? [{ url: one.url, exitCode: one.error.exitCode, error: one.error.message }]
      : [],
  );
  return errors.length > 0 ? { checks, errors } : { checks };
}

/** Prints the checks of several URLs: a table, a row each, or JSON; on stderr what their gates found. */
export async function printCheckList(
  io: Io,
  flags: CheckOutputFlags,
  checked: readonly Checked[],
): Promise<void> {
  await printResult(io, flags, checked, {
    json: listOf,
    rows: (all) => all.map(rowOf),
    page: async (clean, screen) => {
      const { formatCheckTable } = await import("./views/check-table.ts");
      return formatCheckTable(clean, screen);
    },
  });
  if (io.screen !== null && !flags.json) return;
  for (const one of checked) if ("gate" in one) await noteGate(io, one.gate, `${one.url}: `);
}
