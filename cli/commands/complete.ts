import type { Command } from "commander";
import type { Choose } from "../terminal/command.ts";
import { findCandidates } from "../completions/candidates.ts";
import { listProjectNames } from "../completions/project-names.ts";
import type { Context } from "../terminal/context.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import { formatRows } from "../terminal/rows.ts";

export function declareComplete(command: Command, choose: Choose): void {
  command
    .argument("[word...]")
    .action((words: string[]) => choose({}, (context) => runComplete(context, words)));
}

async function runComplete(context: Context, words: readonly string[]): Promise<ExitCode> {
  const commands = await context.describeCommands();
  const candidates = await findCandidates(commands, words, () => listProjectNames(context));
  const rows = candidates.map(({ value, meaning, isFile }) =>
    isFile ? [value, meaning, "file"] : [value, meaning],
  );
  await context.io.print(formatRows(rows));
  return EXIT.done;
}
