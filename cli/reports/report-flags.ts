import { resolve } from "node:path";
import { InvalidArgumentError, type Command } from "commander";
import type { TypedGateFlags, OutputFlags } from "../check/gate-flags.ts";
import { listWords } from "../terminal/words.ts";
import { filePath } from "../terminal/command.ts";
import { usageError } from "../terminal/errors.ts";
import { FORMATS, type FormatName } from "./formats.ts";
import { readReportTarget, type ReportTarget, STDOUT } from "./targets.ts";

export interface ReportFlags {
  readonly report?: readonly ReportTarget[];
  /** Where the answer is saved as JSON, once there is one for each page. */
  readonly save?: string;
}

const REPORT_HELP = `also write ${listWords(Object.keys(FORMATS), "or")}; repeatable; - prints it instead`;

export function addReportFlags(command: Command): Command {
  return command
    .optionsGroup("Reports:")
    .option("--report <format=file>", REPORT_HELP, readReportTarget)
    .option("--save <file>", "save the answer, for --from and --baseline", readSavePath);
}

function readSavePath(path: string): string {
  if (path === STDOUT) throw new InvalidArgumentError("Use --json for stdout.");
  return filePath(path);
}

type Gated = ReportFlags & Pick<TypedGateFlags, "baseline" | "failOnNew" | "maxDrop">;

/** Refuses two texts for one file or for stdout. @throws CliError 2 */
export function checkReportFlags(flags: Gated & OutputFlags): void {
  const format = findPrintedFormat(flags);
  const other = (["json", "field", "explain"] as const).find((name) => flags[name] !== undefined);
  if (format !== undefined && other !== undefined)
    throw usageError(
      `--report ${format}=- and --${other} both print to stdout`,
      `Leave one out, or give the report a file: --report ${format}=FILE`,
    );
  const { report = [], save, baseline, failOnNew, maxDrop } = flags;
  if (save === undefined) return;
  const isAtSave = (path: string) => resolve(path) === resolve(save);
  if (report.some(({ path }) => isAtSave(path)))
    throw usageError(`--save and --report both write ${save}`, "Give each a file of its own");
  const isGated = failOnNew || maxDrop !== undefined;
  if (isGated && baseline !== undefined && isAtSave(baseline))
    throw usageError(
      `--save would replace the baseline ${save} also where the gate is not met`,
      "Save to another file, and move it once the gate is met",
    );
}

export function listTargets({ report = [], save }: ReportFlags): readonly ReportTarget[] {
  if (save === undefined) return report;
  return [...report, { format: "json", path: save, needsAnswers: true }];
}

export function findPrintedFormat({ report = [] }: ReportFlags): FormatName | undefined {
  return report.find(({ path }) => path === STDOUT)?.format;
}
