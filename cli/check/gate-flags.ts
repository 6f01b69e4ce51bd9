import { InvalidArgumentError, type Command } from "commander";
import { filePath, rare, wholeNumber, type CommonFlags } from "../terminal/command.ts";
import { usageError } from "../terminal/errors.ts";
import { checkMinimum, readId, readRuleId } from "./rule-arguments.ts";
import type { CategoryMinimum, GateFlags } from "../../shared/report/gate.ts";
import { Finding } from "../../shared/check.ts";
import { CheckList, GatedCheck } from "../client/json-output.ts";
import { checkField } from "../terminal/json.ts";

export interface TypedGateFlags extends GateFlags {
  /** The project whose last ship is `--max-drop`'s baseline. */
  readonly project?: string;
  /** The file of the saved answer that findings and score are compared with. */
  readonly baseline?: string;
  readonly fail: boolean;
}

function readMinimum(text: string, earlier: readonly CategoryMinimum[] = []): CategoryMinimum[] {
  const [, id, points] = /^([a-z]+)=(\d{1,3}(?:\.\d)?)$/.exec(text) ?? [];
  if (id === undefined) throw new InvalidArgumentError("Give CATEGORY=POINTS, such as headers=12.");
  checkMinimum(id, Number(points));
  if (earlier.some((minimum) => minimum.id === id))
    throw new InvalidArgumentError(`${id} is given twice.`);
  return [...earlier, { id, points: Number(points) }];
}

function readIds(text: string, earlier: readonly string[] = []): string[] {
  const ids = text.split(",").map((id) => id.trim());
  if (ids.includes(""))
    throw new InvalidArgumentError("Give rules or categories, such as hdr.csp,tls.");
  return [...new Set([...earlier, ...ids.map(readId)])];
}

export function addGateFlags(command: Command): Command {
  return command
    .optionsGroup("Gate:")
    .option("--min-score <n>", "exit 1 when the score is lower", wholeNumber(0, 100))
    .option(
      "--min-category <category=n>",
      "exit 1 when the category earns less; repeatable",
      readMinimum,
    )
    .option("--require <ids>", "exit 1 unless these pass: rules or categories", readIds)
    .option("--max-drop <n>", "exit 1 when the score fell by more", wholeNumber(0, 100))
    .option("--project <project>", "compare --max-drop with this project's last ship")
    .option("--baseline <file>", "compare with this saved answer", filePath)
    .option("--fail-on-new", "exit 1 when a finding is worse than in --baseline")
    .addOption(
      rare(
        "--missing-baseline <result>",
        "result of --max-drop and --fail-on-new without a baseline to compare with (default: fail)",
      ).choices(["fail", "pass"]),
    )
    .addOption(rare("--no-fail", "exit 0 whatever the gate says; errors keep their exit code"));
}

function isGateAsked(flags: GateFlags): boolean {
  const { minScore, minCategory, require, maxDrop, failOnNew } = flags;
  return [minScore, minCategory, require, maxDrop, failOnNew].some((flag) => flag !== undefined);
}

/** Refuses flags that would do nothing, so that a gate is never open by mistake. @throws CliError 2 */
export function checkGateFlags(flags: TypedGateFlags): void {
  const { maxDrop, project, baseline, failOnNew, missingBaseline } = flags;
  const isTwice = project !== undefined && baseline !== undefined && !failOnNew;
  if (maxDrop !== undefined && isTwice)
    throw usageError("--max-drop has two baselines: --project and --baseline", "Give one of them");
  if (maxDrop !== undefined && project === undefined && baseline === undefined)
    throw usageError(
      "--max-drop has no project to compare with",
      "Add --project PROJECT, or --baseline FILE",
    );
  if (failOnNew && baseline === undefined)
    throw usageError("--fail-on-new has no baseline to compare with", "Add --baseline FILE");
  if (maxDrop !== undefined) return;
  const idle = project === undefined ? missingBaseline && "--missing-baseline" : "--project";
  if (idle && (project !== undefined || !failOnNew))
    throw usageError(`${idle} does nothing by itself`, "Add --max-drop N, or leave it out");
}

export interface OutputFlags extends CommonFlags {
  readonly all?: true;
  readonly explain?: string;
  readonly quiet?: true;
}

/** Refuses what the result of a run will not have. @throws CliError 2 */
export function checkOutputFlags(
  { explain, field, ...gate }: OutputFlags & GateFlags,
  isList: boolean,
): void {
  if (isList && explain !== undefined)
    throw usageError("--explain is about one URL", "Give one, without --urls");
  if (field === undefined) return;
  if (explain !== undefined) return checkField(field, Finding);
  checkField(field, isList ? CheckList : GatedCheck);
  if (/^(?:checks\.\d+\.)?gate(?:\.(?!accepted)|$)/.test(field) && !isGateAsked(gate))
    throw usageError("there is no gate without a condition", "Add one, such as --min-score 80");
}

export function addOutputFlags(command: Command): Command {
  return command
    .optionsGroup("Output:")
    .option("--all", "show everything: each finding, each category")
    .option("--explain <rule>", "show the finding of one rule in full", readRuleId)
    .option("-q, --quiet", "tell only the gate's result and errors");
}
