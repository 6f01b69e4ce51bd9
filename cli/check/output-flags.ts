import type { Command } from "commander";
import type { CommonFlags } from "../terminal/command.ts";

/** How `check` prints its result. */
export interface OutputFlags extends CommonFlags {
  readonly all?: true;
  readonly explain?: string;
}

export function addOutputFlags(command: Command): Command {
  return command
    .option("--all", "also show the findings that cost nothing")
    .option("--explain <finding>", "show one finding in full");
}
