import * as z from "zod";
import type { Deps } from "../deps.ts";
import type { Column } from "./output.ts";

/** A row of a list, as JSON. */
export type Row = Record<string, unknown>;

/** What a command does where the database is: input and result are JSON, since that may be another process. */
export interface Operation<Input extends z.ZodType = z.ZodType> {
  readonly input: Input;
  run(deps: Deps, input: z.output<Input>): Promise<unknown>;
}

export function defineOperation<Input extends z.ZodType>(operation: Operation<Input>): Operation {
  return operation;
}

/** Part of a list's input: the id of the row after which its page begins. The result is the page, empty after the last. */
export const After = z
  .string()
  .nullish()
  .transform((id) => id ?? null);

export interface CommandOption {
  /** As commander takes them, such as `--plan <plan>`. */
  readonly flags: string;
  readonly description: string;
  readonly isRequired?: boolean;
  readonly default?: string;
}

/** What is printed where `--json` is not given: a field of the result, or its rows, which a list gives page by page. */
export type Printed =
  | { readonly field: string }
  | { readonly rows: readonly Column<Row>[] }
  | { readonly pages: readonly Column<Row>[] }
  | "json";

/** An operator's command, whole. */
export interface OperatorCommand {
  /** Its name and arguments as commander takes them, such as `add <email>`; by the name other processes are asked for it. */
  readonly words: string;
  readonly description: string;
  readonly options?: readonly CommandOption[];
  /** The operation's input, where that is not the arguments and options under their names. */
  readonly inputOf?: (given: Row) => Row;
  readonly prints: Printed;
  /** Loads what it does, which `--help` has no need of. */
  load(): Promise<Operation>;
}

/** The commands about one thing, such as `account add`. */
export interface CommandGroup {
  readonly name: string;
  readonly description: string;
  readonly commands: readonly OperatorCommand[];
}
