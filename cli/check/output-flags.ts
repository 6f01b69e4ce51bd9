import type { Command } from "commander";
import type { CommonFlags } from "../terminal/command.ts";
import { readRuleId } from "./known-ids.ts";

/** How `check` prints its result. */
export interface OutputFlags extends CommonFlags {
  readonly all?: true;
  readonly explain?: string;
}

export function addOutputFlags(command: Command): Command {
  return command
    .optionsGroup("Output:")
    .option("--all", "also show the findings that cost nothing")
    .option("--explain <rule>", "show the finding of one rule in full", readRuleId);
}
