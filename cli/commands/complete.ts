import type { Command } from "commander";
import type { Choose } from "../command.ts";
import { findCandidates } from "../completions/candidates.ts";
import { listProjectNames } from "../completions/project-names.ts";
import type { Context } from "../context.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import { describeCommands } from "../program.ts";
import { formatRows } from "../views/rows.ts";

export function declareComplete(command: Command, choose: Choose): void {
  command
    .argument("[word...]")
    .action((words: string[]) => choose({}, (context) => runComplete(context, words)));
}

async function runComplete(context: Context, words: readonly string[]): Promise<ExitCode> {
  const commands = await describeCommands(context.version);
  const candidates = await findCandidates(commands, words, () => listProjectNames(context));
  await context.io.print(formatRows(candidates.map(({ value, meaning }) => [value, meaning])));
  return EXIT.done;
}
