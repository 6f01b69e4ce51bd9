import { text } from "node:stream/consumers";
import { Option, type Command } from "commander";
import { AppError } from "../base/errors.ts";
import { ACCOUNT } from "./accounts.ts";
import { ALERT } from "./alerts.ts";
import { APPLY, EXPORT } from "./account-files.ts";
import type {
  Asked,
  CommandGroup,
  CommandOption,
  OperatorCommand,
  PrintedPart,
  ListedRow,
} from "./command.ts";
import { EVENTS } from "./events.ts";
import { DEPLOYMENT } from "./deployments.ts";
import { EVIDENCE } from "./evidence.ts";
import { GATE } from "./gates.ts";
import { HISTORY } from "./history.ts";
import { INCIDENT } from "./incidents.ts";
import { printJson, printJsonList, printList, type Output } from "./output.ts";
import { HOOK } from "./hooks.ts";
import { PREVIEW } from "./previews.ts";
import { MAINTENANCE } from "./maintenance.ts";
import { PROJECT } from "./projects.ts";
import { ROUND } from "./round.ts";
import { STATUS_PAGE } from "./status-pages.ts";
import { STATUS } from "./status.ts";
import { TOKEN } from "./tokens.ts";

export const COMMANDS: readonly (CommandGroup | OperatorCommand)[] = [
  ACCOUNT,
  TOKEN,
  PROJECT,
  DEPLOYMENT,
  GATE,
  PREVIEW,
  HOOK,
  ALERT,
  INCIDENT,
  MAINTENANCE,
  STATUS_PAGE,
  HISTORY,
  ROUND,
  STATUS,
  EVIDENCE,
  EVENTS,
  APPLY,
  EXPORT,
];

type Perform = (name: string, input: ListedRow) => Promise<unknown>;
type PrintedFields = Extract<OperatorCommand["prints"], { field: unknown }>;
/** Runs `work` with a function that performs operations in the process that holds the database. */
type WithPerform = (
  command: {
    readonly name: string;
    readonly dataDir?: string;
    readonly beginsDatabase: boolean;
    readonly isLong: boolean;
  },
  work: (perform: Perform) => Promise<void>,
) => Promise<void>;

/** The name by which a command is requested, such as `account add`. */
export function nameOperation({ words }: { readonly words: string }, group?: CommandGroup): string {
  const [own = ""] = words.split(" ");
  return group === undefined ? own : `${group.name} ${own}`;
}

/** Reads a list batch by batch until a batch is empty. */
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

async function print(
  output: Output,
  { prints }: OperatorCommand,
  given: ListedRow,
  ask: (more: ListedRow) => Promise<unknown>,
  isJson: boolean,
): Promise<unknown> {
  if ("batches" in prints) {
    const batches = readBatches(ask);
    await (isJson ? printJsonList(output, batches) : printList(output, batches, prints.batches));
    return undefined;
  }
  const result = (await ask({})) as ListedRow;
  if (isJson) printJson(output, "text" in prints ? prints.json(result) : result);
  else if ("text" in prints) output.stdout.write(`${await prints.text(result, given)}\n`);
  else if ("rows" in prints) await printList(output, [[result].flat()], prints.rows);
  else if ("parts" in prints) await printParts(output, result, prints.parts);
  else printFields(output, result, prints);
  if ("text" in prints) note(output, prints.note?.(result));
  return result;
}

function note(output: Output, said = ""): void {
  if (said !== "") output.stderr.write(`${said}\n`);
}

/** On a terminal with an empty line between them. */
async function printParts(output: Output, result: ListedRow, parts: readonly PrintedPart[]) {
  const printed = parts.filter(({ isForPeople }) => output.isForPeople || !isForPeople);
  for (const [index, { rowsOf, columns }] of printed.entries()) {
    if (index > 0 && output.isForPeople) output.stdout.write("\n");
    await printList(output, [rowsOf(result)], columns);
  }
}

function printFields(output: Output, result: ListedRow, prints: PrintedFields): void {
  const values = [prints.field].flat().flatMap((name) => (result[name] as string | null) ?? []);
  if (values.length > 0) output.stdout.write(`${values.join("\t")}\n`);
  note(output, prints.note?.(result));
}

/** What the flags that were given have standard input read into. */
async function readFlagged(
  stdin: NodeJS.ReadableStream,
  options: readonly CommandOption[],
  given: ListedRow,
): Promise<ListedRow> {
  const isGiven = (flags: string) => given[new Option(flags).attributeName()] === true;
  const flag = options.find(({ flags, reads }) => reads && isGiven(flags));
  return flag?.reads === undefined ? {} : { [flag.reads]: await text(stdin) };
}

const collect = (value: string, before: readonly string[] = []) => [...before, value];

/** Asks on a terminal; without one, or with another answer than yes, it is refused. */
async function confirm({ stdin, stderr, isInteractive }: Asked, question: string): Promise<void> {
  if (!isInteractive) throw new AppError("yes_missing", {});
  const { createInterface } = await import("node:readline/promises");
  const reader = createInterface({ input: stdin, output: stderr });
  const answer = await reader.question(`${question} [y/N] `).finally(() => reader.close());
  if (!/^y(es)?$/i.test(answer.trim())) throw new AppError("not_confirmed", {});
}

/**
 * Adds the operator's commands. Each parses its arguments, has its operation performed by the process that holds the
 * database, and prints the result.
 * @param fail called where the result is a failure
 */
export function addOperatorCommands(
  program: Command,
  run: Asked,
  withPerform: WithPerform,
  fail: () => void,
): void {
  function addCommand(parent: Command, declared: OperatorCommand, group?: CommandGroup): void {
    const { words, description, confirms, options = [] } = declared;
    const { inputOf = (given: ListedRow) => given } = declared;
    const name = nameOperation(declared, group);
    const command = parent.command(words).description(description);
    if (confirms) command.option("--yes", "do it without asking");
    for (const option of options) {
      const add = option.isRequired ? "requiredOption" : "option";
      if (option.isRepeatable)
        command[add](option.flags, `${option.description}, repeatable`, collect);
      else command[add](option.flags, option.description, option.default);
    }
    command
      .option("--json", "print JSON")
      .option("--data-dir <folder>", "folder of the embedded database")
      .action(async (...given: unknown[]) => {
        const { json, yes, dataDir, ...rest } = command.opts<ListedRow & { dataDir?: string }>();
        const args = command.registeredArguments.map((arg, index) => [arg.name(), given[index]]);
        const read = await readFlagged(run.stdin, options, rest);
        const input = await inputOf({ ...Object.fromEntries(args), ...rest, ...read }, run);
        if (confirms && !yes) await confirm(run, confirms(input));
        const { beginsDatabase = false, isLong = false } = declared;
        const asked = { name, beginsDatabase, isLong, ...(dataDir !== undefined && { dataDir }) };
        await withPerform(asked, async (perform) => {
          const ask = async (more: ListedRow) =>
            JSON.parse(JSON.stringify(await perform(name, { ...input, ...more }))) as unknown;
          const result = await print(run, declared, rest, ask, json === true);
          if (declared.isFailure?.(result as ListedRow)) fail();
        });
      });
  }

  for (const declared of COMMANDS) {
    if ("words" in declared) addCommand(program, declared);
    else {
      const group = program.command(declared.name).description(declared.description);
      for (const command of declared.commands) addCommand(group, command, declared);
    }
  }
}
