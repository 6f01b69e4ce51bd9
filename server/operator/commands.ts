import { text } from "node:stream/consumers";
import { Command } from "commander";
import { AppError } from "../base/errors.ts";
import type { Perform } from "../db/embedded/admin-socket.ts";
import type { Deps } from "../deps.ts";
import { readIssue } from "../base/input-faults.ts";
import type { AddCommands, CommandContext, Operate, CommandBehavior } from "./command.ts";
import { createPrinter, printJson, type ListedRow } from "./output.ts";
import { addAccountCommands } from "./accounts.ts";
import { addTokenCommands } from "./tokens.ts";
import { addProjectCommands } from "./projects.ts";
import { addDeploymentCommands } from "./deployments.ts";
import { addGateCommands } from "./gates.ts";
import { addPreviewCommands } from "./previews.ts";
import { addHookCommands } from "./hooks.ts";
import { addAlertCommands } from "./alerts.ts";
import { addIncidentCommands } from "./incidents.ts";
import { addMaintenanceCommands } from "./maintenance.ts";
import { addStatusPageCommands } from "./status-pages.ts";
import { addHistoryCommand } from "./history.ts";
import { addRoundCommand } from "./round.ts";
import { addStatusCommand } from "./server-status.ts";
import { addEvidenceCommand } from "./evidence.ts";
import { addEventsCommand } from "./events.ts";
import { addApplyCommand, addExportCommand } from "./account-files.ts";

const COMMANDS: readonly AddCommands[] = [
  addAccountCommands,
  addTokenCommands,
  addProjectCommands,
  addDeploymentCommands,
  addGateCommands,
  addPreviewCommands,
  addHookCommands,
  addAlertCommands,
  addIncidentCommands,
  addMaintenanceCommands,
  addStatusPageCommands,
  addHistoryCommand,
  addRoundCommand,
  addStatusCommand,
  addEvidenceCommand,
  addEventsCommand,
  addApplyCommand,
  addExportCommand,
];

export function addCommands(program: Command, operate: Operate): void {
  for (const add of COMMANDS) add(program, operate);
}

type WithPerform = (
  command: {
    readonly name: string;
    readonly dataDir?: string;
    readonly beginsDatabase: boolean;
    readonly isLong: boolean;
  },
  work: (perform: Perform) => Promise<void>,
) => Promise<void>;

/** The name that identifies a command in other processes, such as `account add`. */
const nameOf = (command: Command): string =>
  command.parent?.parent ? `${command.parent.name()} ${command.name()}` : command.name();

async function* readBatches(
  ask: (more: ListedRow) => Promise<unknown>,
): AsyncGenerator<ListedRow[]> {
  let after: ListedRow | null = null;
  for (;;) {
    const batch = (await ask({ after })) as ListedRow[];
    const last = batch.at(-1);
    if (last === undefined) return;
    yield batch;
    after = last;
  }
}

const STDIN = /Stdin$/;

async function readFlagged(stdin: NodeJS.ReadableStream, given: ListedRow): Promise<ListedRow> {
  const flag = Object.keys(given).find((name) => STDIN.test(name));
  return flag === undefined ? {} : { [flag.replace(STDIN, "")]: await text(stdin) };
}

async function confirm(
  { stdin, stderr, isInteractive }: CommandContext,
  question: string,
): Promise<void> {
  if (!isInteractive) throw new AppError("yes_missing", {});
  const { createInterface } = await import("node:readline/promises");
  const reader = createInterface({ input: stdin, output: stderr });
  const answer = await reader.question(`${question} [y/N] `).finally(() => reader.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new AppError("not_confirmed", {});
}

/** `fail` is called if the result is a failure. */
export function addOperatorCommands(
  program: Command,
  run: CommandContext,
  withPerform: WithPerform,
  fail: () => void,
): void {
  function operate(command: Command, operated: CommandBehavior): void {
    const { beginsDatabase = false, isLong = false } = operated;
    const name = nameOf(command);
    if (operated.confirms) command.option("--yes", "do not ask for confirmation");
    command
      .option("--json", "print JSON")
      .option("--data-dir <folder>", "folder of the embedded database")
      .action(async (...given: unknown[]) => {
        const { json, yes, dataDir, ...rest } = command.opts<ListedRow & { dataDir?: string }>();
        const args = command.registeredArguments.map((arg, index) => [arg.name(), given[index]]);
        const read = await readFlagged(run.stdin, rest);
        const typed = { ...Object.fromEntries(args), ...rest, ...read };
        const input = operated.inputOf ? await operated.inputOf(typed, run) : typed;
        if (operated.confirms && !yes) await confirm(run, operated.confirms(input));
        const asked = { name, beginsDatabase, isLong, ...(dataDir !== undefined && { dataDir }) };
        await withPerform(asked, async (perform) => {
          const ask = async (more: ListedRow) =>
            JSON.parse(JSON.stringify(await perform(name, { ...input, ...more }))) as unknown;
          const result = operated.isBatched ? readBatches(ask) : await ask({});
          if (json === true)
            await printJson(run, operated.toJson ? operated.toJson(result) : result);
          else await operated.print(result, createPrinter(run), rest);
          if (operated.isFailure?.(result)) fail();
        });
      });
  }
  addCommands(program, operate);
}

/** Throws `operation_unknown`, `input_invalid`, and whatever the operation throws. */
export type PerformOperation = (deps: Deps, name: string, input: unknown) => Promise<unknown>;

/** Loads all operations at the start. A program whose files are replaced while it runs therefore does not mix versions. */
export async function loadOperations(): Promise<PerformOperation> {
  const found: [name: string, operated: CommandBehavior][] = [];
  addCommands(new Command(), (command, operated) => found.push([nameOf(command), operated]));
  const operations = new Map(
    await Promise.all(
      found.map(async ([name, operated]) => [name, await operated.load()] as const),
    ),
  );
  return async (deps, name, input) => {
    const operation = operations.get(name);
    if (operation === undefined) throw new AppError("operation_unknown", { name });
    const parsed = operation.input.safeParse(input, { reportInput: true });
    if (parsed.success) return (await operation.run(deps, parsed.data)) ?? parsed.data;
    throw new AppError("input_invalid", readIssue(parsed.error.issues));
  };
}
