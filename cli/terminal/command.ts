import type { Readable } from "node:stream";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { Env, Io, Wanted } from "./io.ts";
import type * as z from "zod/mini";
import { usageError, CliError } from "./errors.ts";
import { type ExitCode, EXIT } from "./exit-codes.ts";
import { checkField } from "./json.ts";
import { setTimeout as sleep } from "node:timers/promises";

/** What a command may touch besides its arguments. `signal` aborts when the user or the system ends the command. */
export interface Context {
  readonly env: Env;
  readonly io: Io;
  readonly version: string;
  readonly openStdin: () => Readable;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Each command with its arguments and flags, for completions. */
  readonly describeCommands: () => Promise<Command[]>;
}

/** A parsed command line: what to run, how, and whether errors are to be printed as JSON too. */
export interface Invocation extends Wanted {
  readonly isJson: boolean;
  run(context: Context): Promise<ExitCode>;
}

export interface CommonFlags {
  readonly json?: true;
  readonly field?: string;
  readonly baseUrl?: string;
  readonly timeout?: number;
  readonly verbose?: true;
  readonly color?: Wanted["color"];
}

/** Called by a command's action, once its arguments and flags are parsed. */
export type Choose = (
  flags: Pick<CommonFlags, "json" | "color"> & { readonly quiet?: true },
  run: Invocation["run"],
) => void;

/** Gives a command its arguments, flags and examples, and the action that chooses what to run. */
export type Declare = (command: Command, choose: Choose, isWhole: boolean) => void;

/** What the help of a command says besides its flags: the examples before them, the rest behind. */
export function addHelp(command: Command, text: string): Command {
  const [rest = "", examples = ""] = text.split(/^(?=Examples:$)/m);
  return command.addHelpText("before", examples).addHelpText("after", rest.trimEnd());
}

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= min && number <= max) return number;
    throw new InvalidArgumentError(`Give a whole number from ${min} to ${max}.`);
  };
}

export function filePath(text: string): string {
  if (text === "") throw new InvalidArgumentError("Give the path of a file.");
  return text;
}

/** Refuses a repeated flag, whose last value would silently replace the first; but not those that add up. */
export function refuseRepeats(command: Command, addingUp: readonly string[]): void {
  for (const option of command.options.filter(({ long }) => !addingUp.includes(long ?? ""))) {
    let count = 0;
    command.on(`option:${option.name()}`, () => {
      count += 1;
      if (count > 1) throw usageError(`${option.long} is given twice`, "Give it once");
    });
  }
}

/** What `--json` prints, and the schema of that, where it is the same whatever is asked. */
interface JsonResult {
  readonly name?: string;
  readonly schema?: z.core.$ZodType;
}

/** A flag that only `--help-all` shows. */
export const rare = (flags: string, description: string) =>
  new Option(flags, description).hideHelp();

export const colorOption = () =>
  rare("--color <when>", "auto (the default), always or never").choices([
    "auto",
    "always",
    "never",
  ]);

/** @param example a field that `--field` may name */
export function addCommonFlags(
  command: Command,
  example: string,
  { name = "the API's value", schema }: JsonResult = {},
): Command {
  const readSeconds = wholeNumber(1, 3600);
  const readField = (path: string) => {
    if (schema) checkField(path, schema);
    return path;
  };
  return command
    .optionsGroup("Output:")
    .option("--json", `print ${name} as JSON`)
    .option("--field <path>", `print one field of it, such as ${example}`, readField)
    .addOption(colorOption())
    .optionsGroup("Server:")
    .addOption(rare("--base-url <url>", "address of the server; overrides SHIPSCORE_URL"))
    .addOption(
      rare(
        "--timeout <seconds>",
        "give up after this long, retries included (default: 60)",
      ).argParser(readSeconds),
    )
    .addOption(rare("--verbose", "trace requests on stderr, without the token"));
}

/** Where a value that is read again and again is shown. */
export interface Display<T> {
  /** Shows what was read. Resolves to false when nobody looks at it any more. */
  show(value: T, readAt: Date): Promise<boolean>;
  /** Tells that the server has not answered since a time. */
  lose(error: CliError, since: Date): Promise<void>;
  close(): Promise<void>;
}

/** Failures that may pass: those of the server, or of the network on the way to it. */
const PASSING: readonly ExitCode[] = [EXIT.noAnswer, EXIT.serverFailed, EXIT.serverUnavailable];

/**
 * Reads a value at each interval and shows it, until the signal aborts. `read` gets a context that writes no notes, since
 * the display tells when the server is away.
 * @throws CliError for a refusal that will not pass by itself
 */
export async function watch<T>(
  context: Context,
  intervalMs: number,
  read: (quiet: Context) => Promise<T>,
  display: Display<T>,
): Promise<ExitCode> {
  const { io, signal, now } = context;
  const quiet = { ...context, io: { ...io, note: async () => {} } };
  let lostAt: Date | undefined;
  try {
    for (;;) {
      const askedAt = now();
      try {
        const value = await read(quiet);
        lostAt = undefined;
        if (!(await display.show(value, askedAt))) return EXIT.done;
      } catch (error) {
        if (!(error instanceof CliError) || !PASSING.includes(error.exitCode)) throw error;
        lostAt ??= askedAt;
        await display.lose(error, lostAt);
      }
      await sleep(intervalMs, undefined, { signal });
    }
  } finally {
    await display.close();
  }
}
