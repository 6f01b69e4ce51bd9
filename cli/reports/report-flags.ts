import { resolve } from "node:path";
import type { Command } from "commander";
import type { Language } from "../../shared/language.ts";
import { say } from "../../shared/report/words.ts";
import type { TypedGateFlags, OutputFlags } from "../check/gate-flags.ts";
import { filePath } from "../terminal/command.ts";
import { usageError, ValueError } from "../terminal/errors.ts";
import { FORMATS, type FormatName } from "./formats.ts";
import { readReportTarget, type ReportTarget, STDOUT } from "./targets.ts";

export interface ReportFlags {
  readonly report?: readonly ReportTarget[];
  /** Written only if every page has a check. */
  readonly save?: string;
}

const LAST_FORMAT = /, ([^,]*)$/;
const names = Object.keys(FORMATS).join(", ");

const HELP = {
  report: {
    fr: `écrire aussi ${names.replace(LAST_FORMAT, " ou $1")} ; répétable ; - pour stdout`,
    en: `also write ${names.replace(LAST_FORMAT, " or $1")}; repeatable; - prints it instead`,
  },
  save: {
    fr: "enregistrer le résultat, pour --from et --baseline",
    en: "save the result, for --from and --baseline",
  },
};

export function addReportFlags(command: Command, language: Language): Command {
  return command
    .optionsGroup("Reports:")
    .option("--report <format=file>", say(HELP.report, language), readReportTarget)
    .option("--save <file>", say(HELP.save, language), readSavePath);
}

function readSavePath(path: string): string {
  if (path === STDOUT)
    throw new ValueError({ fr: "Utilisez --json pour stdout", en: "Use --json for stdout" });
  return filePath(path);
}

type Gated = ReportFlags & Pick<TypedGateFlags, "baseline" | "failOnNew" | "maxDrop">;

export function checkReportFlags(flags: Gated & OutputFlags): void {
  const format = findPrintedFormat(flags);
  const other = (["json", "field", "explain"] as const).find((name) => flags[name] !== undefined);
  if (format !== undefined && other !== undefined)
    throw usageError(
      {
        fr: `--report ${format}=- et --${other} écrivent tous deux sur stdout`,
        en: `--report ${format}=- and --${other} both print to stdout`,
      },
      {
        fr: `Retirez l'une des deux options, ou indiquez un fichier pour le rapport : --report ${format}=FICHIER`,
        en: `Leave one out, or use a file for the report: --report ${format}=FILE`,
      },
    );
  const { report = [], save, baseline, failOnNew, maxDrop } = flags;
  if (save === undefined) return;
  const isAtSave = (path: string) => resolve(path) === resolve(save);
  if (report.some(({ path }) => isAtSave(path)))
    throw usageError(
      {
        fr: `--save et --report écrivent tous deux dans ${save}`,
        en: `--save and --report both write ${save}`,
      },
      { fr: "Indiquez un fichier pour chacun", en: "Use a separate file for each" },
    );
  const isGated = failOnNew || maxDrop !== undefined;
  if (isGated && baseline !== undefined && isAtSave(baseline))
    throw usageError(
      {
        fr: `--save remplacerait la référence ${save} même si les conditions ne sont pas remplies`,
        en: `--save would replace the baseline ${save} even if the gate is not met`,
      },
      {
        fr: "Enregistrez dans un autre fichier, et déplacez-le une fois les conditions remplies",
        en: "Save to another file, and move it once the conditions are met",
      },
    );
}

export function listTargets({ report = [], save }: ReportFlags): readonly ReportTarget[] {
  if (save === undefined) return report;
  return [...report, { format: "json", path: save, needsAnswers: true }];
}

export function findPrintedFormat({ report = [] }: ReportFlags): FormatName | undefined {
  return report.find(({ path }) => path === STDOUT)?.format;
}
