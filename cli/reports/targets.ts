import { resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import { tryFile, writeFiles } from "./files.ts";
import { FORMATS, type Format, type FormatName } from "./formats.ts";
import { cleanChecked, type Reports } from "./report.ts";

/** One `--report FORMAT=FILE`. */
export interface ReportTarget {
  readonly format: FormatName;
  readonly path: string;
  /** True where the file is left as it was unless every page has its check. */
  readonly needsAnswers?: true;
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
  if (path === "-") throw new InvalidArgumentError("Use --json for stdout.");
  if (earlier.some((target) => resolve(target.path) === resolve(path)))
    throw new InvalidArgumentError("Give each report a file of its own.");
  return [...earlier, { format, path }];
}

/**
 * Makes sure that all files can be written, before a request is sent and its slot spent. They are written whole, or none
 * of them is.
 * @throws CliError 74
 */
export function openReports(targets: readonly ReportTarget[] = []): Reports {
  for (const { path } of targets) tryFile(path);
  return {
    async write(checked, about) {
      const clean = checked.map(cleanChecked);
      const isWhole = checked.every((one) => "check" in one);
      const wanted = targets.filter(({ needsAnswers }) => isWhole || !needsAnswers);
      const files = wanted.map(async (target) => {
        const format: Format = FORMATS[target.format];
        const formatReport = await format.load();
        return {
          path: target.path,
          text: formatReport(format.isVerbatim ? checked : clean, about),
        };
      });
      writeFiles(await Promise.all(files));
    },
  };
}
