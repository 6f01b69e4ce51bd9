import * as z from "zod";
import type { CheckResult } from "../../shared/check.ts";
import { AppError } from "../base/errors.ts";
import { LANGUAGES, type Language } from "../../shared/language.ts";
import { readInput } from "./input-file.ts";
import type { Output } from "./output.ts";
import { compareResults, type Changes } from "../engine/judge/changes.ts";
import { EvidenceFile, isOutdated } from "../engine/evidence/packed-evidence.ts";
import { findRuleset, RULESET, RULESETS, type Ruleset } from "../engine/judge/ruleset.ts";
import { scoreEvidence } from "../engine/judge/score.ts";

export interface RescoreOptions {
  readonly ruleset?: string;
  readonly language?: string;
  readonly json?: boolean;
}

function parseEvidence(input: string, file: string): EvidenceFile {
  let data: unknown;
  try {
    data = JSON.parse(input);
  } catch {
    throw new AppError("evidence_not_json", { file });
  }
  if (isOutdated(data)) throw new AppError("evidence_outdated", { name: file });
  const parsed = EvidenceFile.safeParse(data);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const [position, fault] = [issue?.path.join(".") ?? "", issue?.message ?? "invalid"];
  throw new AppError("evidence_invalid", { file, position, fault });
}

function requireRuleset(
  version: string,
  code: "ruleset_unknown" | "ruleset_of_file_unknown",
  rulesets: readonly Ruleset[],
): Ruleset {
  const ruleset = findRuleset(version, rulesets);
  if (ruleset) return ruleset;
  throw new AppError(code, { version, known: rulesets.map((one) => one.version) });
}

function requireLanguage(language: string): Language {
  const known = z.enum(LANGUAGES).safeParse(language);
  if (known.success) return known.data;
  throw new AppError("language_unknown", { known: LANGUAGES });
}

/**
 * With the file's own ruleset and language, the output is the stored result byte for byte. With `ruleset`, the output also has the
 * `changes` from the file's own ruleset. Throws an `AppError` about the options or the file.
 */
export async function rescore(
  output: Output & { readonly stdin: NodeJS.ReadableStream },
  name: string,
  options: RescoreOptions,
  rulesets: readonly Ruleset[] = RULESETS,
): Promise<void> {
  const asked =
    options.ruleset === undefined
      ? undefined
      : requireRuleset(options.ruleset, "ruleset_unknown", rulesets);
  const spoken = options.language === undefined ? undefined : requireLanguage(options.language);
  const file = parseEvidence(await readInput(name, output.stdin), name);
  const language = spoken ?? file.judged?.language ?? "fr";
  const own =
    file.judged === undefined
      ? RULESET
      : (findRuleset(file.judged.ruleset, rulesets) ??
        asked ??
        requireRuleset(file.judged.ruleset, "ruleset_of_file_unknown", rulesets));
  const result = scoreEvidence(file, language, own);
  const isReport = output.isForPeople && !options.json;
  if (asked === undefined) {
    output.stdout.write(isReport ? reportResult(result) : `${JSON.stringify(result)}\n`);
    return;
  }
  const asAsked = scoreEvidence(file, language, asked);
  const changes = compareResults(result, asAsked, "en");
  const value = { ...asAsked, changes };
  output.stdout.write(isReport ? reportChanges(changes) : `${JSON.stringify(value)}\n`);
}

function reportResult({ score, verdict, ruleset, caps, findings }: CheckResult): string {
  const limits = caps.map(({ findingId, limit }) => `capped at ${limit} by ${findingId}`);
  const rows = findings.map(({ id, status, earned, points }) =>
    [id.padEnd(18), status.padEnd(14), `${earned} of ${points}`].join("  "),
  );
  return `${[`${score}, ${verdict} (${ruleset})`, ...limits, "", ...rows].join("\n")}\n`;
}

function reportChanges({ from, to, findings, caps }: Changes): string {
  const moves = findings.map(
    ({ id, from: was, to: is, why }) =>
      `${id}: ${was?.earned ?? 0} → ${is?.earned ?? 0} points, ${why}`,
  );
  const limits = caps.map(
    ({ findingId, from: was, to: is }) =>
      `${findingId}: ${was === null ? "no cap" : `capped at ${was}`} → ${is === null ? "no cap" : `capped at ${is}`}`,
  );
  const moved = [...moves, ...limits];
  const outcomes = [from, to].map(
    ({ ruleset, score, verdict }) => `${ruleset}: ${score}, ${verdict}`,
  );
  return `${[...outcomes, "", ...(moved.length > 0 ? moved : ["No points changed."])].join("\n")}\n`;
}
