import { resolve } from "node:path";
import type { Checked } from "../check/results.ts";
import type { Context } from "../terminal/command.ts";
import { say } from "../../shared/report/words.ts";
import { ValueError } from "../terminal/errors.ts";
import { maskTokens } from "../terminal/io.ts";
import { type FileText, checkWritable, makeFolderOf, writeFiles } from "./files.ts";
import { FORMATS, type Format, type FormatName } from "./formats.ts";
import { type About, cleanChecked, type WriteReports } from "./report.ts";

export const STDOUT = "-";

export interface ReportTarget {
  readonly format: FormatName;
  readonly path: string;
  /** The file is written only when every page has a check. */
  readonly needsAnswers?: true;
  readonly makesFolder?: true;
}

function isFormat(name: string): name is FormatName {
  return Object.hasOwn(FORMATS, name);
}

export function readReportTarget(
  text: string,
  earlier: readonly ReportTarget[] = [],
): readonly ReportTarget[] {
  const end = text.indexOf("=");
  const format = text.slice(0, Math.max(0, end));
  const path = text.slice(end + 1);
  if (!isFormat(format) || path === "")
    throw new ValueError({
      fr: `Indiquez FORMAT=FICHIER, où FORMAT est l'un de ceux-ci : ${Object.keys(FORMATS).join(", ")}`,
      en: `Use FORMAT=FILE, where FORMAT is one of ${Object.keys(FORMATS).join(", ")}`,
    });
  if (earlier.some((target) => resolve(target.path) === resolve(path)))
    throw new ValueError(
      path === STDOUT
        ? { fr: "N'affichez qu'un seul rapport", en: "Print one report only" }
        : { fr: "Indiquez un fichier par rapport", en: "Use a separate file for each report" },
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
 * Checks the files before a request counts against the quota. At the end, all files are written or none; then the report for
 * stdout is printed.
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
    checkWritable(path);
  }
  return async (checked, about) => {
    const isWhole = checked.every((one) => "check" in one);
    const wanted = written.filter(({ needsAnswers }) => isWhole || !needsAnswers);
    const format = (target: ReportTarget) => formatTarget(target, checked, about);
    await writeFiles(await Promise.all(wanted.map(format)), signal);
    if (!about.isEnded)
      for (const { path } of written.filter((one) => !wanted.includes(one))) {
        const note = {
          fr: `${path} n'a pas été enregistré, car une page n'a pas de résultat.`,
          en: `${path} was not saved, because a page has no result.`,
        };
        await io.note(`shipscore: ${say(note, io.language)}`);
      }
    // As with `--json`, the error that ends the command is printed instead of a result.
    const isError = (target: ReportTarget) => about.isEnded && target.format === "json";
    for (const target of printed.filter((one) => !isError(one)))
      await io.print((await format(target)).text);
  };
}
