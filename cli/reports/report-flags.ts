import type { Command } from "commander";
import { listWords } from "../terminal/words.ts";
import { FORMATS } from "./formats.ts";
import { readReportTarget, type ReportTarget } from "./targets.ts";

/** What `check` writes besides its result. */
export interface ReportFlags {
  readonly report?: readonly ReportTarget[];
}

const REPORT_HELP = `also write a report: ${listWords(Object.keys(FORMATS), "or")}; repeatable`;

export function addReportFlags(command: Command): Command {
  return command
    .optionsGroup("Reports:")
    .option("--report <format=file>", REPORT_HELP, readReportTarget);
}
