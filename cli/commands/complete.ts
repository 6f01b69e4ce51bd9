import type { Command } from "commander";
import type { Context, DeclareOptions } from "../terminal/command.ts";
import { findCandidates } from "../completions/candidates.ts";
import { openApi } from "../client/api.ts";
import { readSettings } from "../client/settings.ts";
import { withTimeLimit } from "../client/time-limit.ts";
import { cleanText } from "../terminal/json.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import { formatRows } from "../views/rows.ts";

export function declareComplete(command: Command, { choose }: DeclareOptions): void {
  command
    .argument("[word...]")
    .action((words: string[]) => choose({}, (context) => runComplete(context, words)));
}

const TIMEOUT_MS = 300;

/** Lists ids instead of names that several projects share. Empty if there is no token, or no answer within 300 ms. */
export async function listProjectNames(context: Context): Promise<string[]> {
  const io = { ...context.io, note: async () => {} };
  try {
    const settings = readSettings(context.env, {});
    const { projects } = await withTimeLimit(context.signal, TIMEOUT_MS, (signal) =>
      openApi(settings, { ...context, io, signal }).listProjects(),
    );
    const names = projects.map(({ name }) => name);
    return projects.map(({ id, name }) =>
      names.indexOf(name) === names.lastIndexOf(name) ? cleanText(name) : id,
    );
  } catch {
    return [];
  }
}

async function runComplete(context: Context, words: readonly string[]): Promise<ExitCode> {
  const commands = await context.describeCommands();
  const candidates = await findCandidates(commands, words, {
    language: context.io.language,
    listNames: () => listProjectNames(context),
  });
  const rows = candidates.map(({ value, meaning, isFile }) =>
    isFile ? [value, meaning, "file"] : [value, meaning],
  );
  await context.io.print(formatRows(rows));
  return EXIT.done;
}
