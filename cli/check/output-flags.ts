import type { Command } from "commander";
import { Finding } from "../../shared/check.ts";
import { CheckList, GatedCheck } from "../client/printed.ts";
import type { CommonFlags } from "../terminal/command.ts";
import { usageError } from "../terminal/errors.ts";
import { checkField } from "../terminal/field.ts";
import type { GateFlags } from "../../shared/report/gate.ts";
import { isGateAsked } from "./gate-flags.ts";
import { readRuleId } from "./known-ids.ts";

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
