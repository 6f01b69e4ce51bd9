import { resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import type { Checked } from "../check/results.ts";
import type { Context } from "../terminal/command.ts";
import { maskTokens } from "../terminal/io.ts";
import { type FileText, makeFolderOf, tryFile, writeFiles } from "./files.ts";
import { FORMATS, type Format, type FormatName } from "./formats.ts";
import { type About, cleanChecked, type WriteReports } from "./report.ts";

/** The path that stands for stdout. */
export const STDOUT = "-";

export interface ReportTarget {
  readonly format: FormatName;
  readonly path: string;
  /** True where the file is left as it was unless every page has its check. */
  readonly needsAnswers?: true;
  /** True where the folder of the file is made, if it is not there. */
  readonly makesFolder?: true;
}

function isFormat(name: string): name is FormatName {
  return Object.hasOwn(FORMATS, name);
}

/** Reads one `--report FORMAT=FILE` after those before it. */
export function readReportTarget(
  text: string,
  earlier: readonly ReportTarget[] = [],
): readonly ReportTarget[] {
  const end = text.indexOf("=");
  const format = text.slice(0, Math.max(0, end));
  const path = text.slice(end + 1);
  if (!isFormat(format) || path === "")
    throw new InvalidArgumentError(
      `Give FORMAT=FILE, where FORMAT is one of ${Object.keys(FORMATS).join(", ")}.`,
    );
  if (earlier.some((target) => resolve(target.path) === resolve(path)))
    throw new InvalidArgumentError(
      path === STDOUT ? "Print one report only." : "Give each report a file of its own.",
    );
  return [...earlier, { format, path }];
}

async function formatTarget(
  { format: name, path }: ReportTarget,
  checked: readonly Checked[],
  about: About,
): Promise<FileText> {
  const format: Format = FORMATS[name];
  const formatReport = await format.load();
  const text = formatReport(format.isVerbatim ? checked : checked.map(cleanChecked), about);
  return { path, text: maskTokens(text) };
}

/**
 * Makes sure that all files can be written, before a request is sent and its slot spent. They are written whole, or none
 * of them is; then the report for stdout is printed.
 * @throws CliError 74
 */
export function openReports(
  { io, signal }: Pick<Context, "io" | "signal">,
  targets: readonly ReportTarget[] = [],
): WriteReports {
  const printed = targets.filter(({ path }) => path === STDOUT);
  const written = targets.filter(({ path }) => path !== STDOUT);
  for (const { path, makesFolder } of written) {
    if (makesFolder) makeFolderOf(path);
    tryFile(path);
  }
  return async (checked, about) => {
    const isWhole = checked.every((one) => "check" in one);
    const wanted = written.filter(({ needsAnswers }) => isWhole || !needsAnswers);
    const format = (target: ReportTarget) => formatTarget(target, checked, about);
    await writeFiles(await Promise.all(wanted.map(format)), signal);
    if (!about.isEnded)
      for (const { path } of written.filter((one) => !wanted.includes(one)))
        await io.note(`shipscore: ${path} was not saved, since a page has no answer.`);
    // As with `--json`, the error that ends the command is printed in place of a result.
    const isError = (target: ReportTarget) => about.isEnded && target.format === "json";
    for (const target of printed.filter((one) => !isError(one)))
      await io.print((await format(target)).text);
  };
}
