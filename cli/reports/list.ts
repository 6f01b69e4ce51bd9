import { resolve } from "node:path";
import { InvalidArgumentError } from "commander";
import type { Checked } from "../check/checked.ts";
import { CliError } from "../terminal/errors.ts";
import { tryFile, writeFiles } from "./files.ts";
import type { About, FormatReport } from "./report.ts";
import { cleanText, cleanValue } from "../terminal/clean.ts";

/** Every format of a report; its own file loads when it is asked for. */
const FORMATS = {
  json: async () => (await import("./json.ts")).formatJsonReport,
  markdown: async () => (await import("./markdown.ts")).formatMarkdownReport,
  junit: async () => (await import("./junit.ts")).formatJunitReport,
  sarif: async () => (await import("./sarif.ts")).formatSarifReport,
  gitlab: async () => (await import("./gitlab.ts")).formatGitlabReport,
  html: async () => (await import("./html.tsx")).formatHtmlReport,
} satisfies Readonly<Record<string, () => Promise<FormatReport>>>;

type Format = keyof typeof FORMATS;

export interface ReportTarget {
  readonly format: Format;
  readonly path: string;
}

/** Writes what a run of checks came to into the files that were asked for. */
export interface Reports {
  /** @throws CliError 74, and then none of the files is written */
  write(checked: readonly Checked[], about: About): Promise<void>;
}

function isFormat(name: string): name is Format {
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

/** The same with clean text, for formats that people and other programs read. */
export function cleanChecked(checked: Checked): Checked {
  if ("check" in checked)
    return {
      url: cleanText(checked.url),
      check: cleanValue(checked.check),
      gate: cleanValue(checked.gate),
    };
  const { exitCode, message, advice, requestId } = checked.error;
  const error = new CliError(exitCode, cleanText(message), cleanText(advice), {
    requestId: requestId === undefined ? undefined : cleanText(requestId),
  });
  return { url: cleanText(checked.url), error };
}

/** Tries the files of all reports, before a request is sent and its slot spent. @throws CliError 74 */
export function openReports(targets: readonly ReportTarget[] = []): Reports {
  for (const { path } of targets) tryFile(path);
  return {
    async write(checked, about) {
      const clean = checked.map(cleanChecked);
      const files = targets.map(async ({ format, path }) => {
        const formatReport: FormatReport = await FORMATS[format]();
        // JSON is the API's own value, and escapes what is unclean itself.
        return { path, text: formatReport(format === "json" ? checked : clean, about) };
      });
      writeFiles(await Promise.all(files));
    },
  };
}
