import type * as z from "zod/mini";
import { InvalidArgumentError, Option, type Command } from "commander";
import type { Context } from "./context.ts";
import { usageError } from "./errors.ts";
import type { ExitCode } from "./exit-codes.ts";
import { checkField } from "./field.ts";
import type { Wanted } from "./io.ts";

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
