import * as z from "zod";
import { OPERATOR } from "../db/accounts/actors.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps } from "../deps.ts";
import type { Column, Output } from "./output.ts";

export type ListedRow = Record<string, unknown>;

/**
 * What a command does to the database. Its input and result are JSON, since it may run in another process; without a result it is
 * the input.
 */
export interface Operation<Input extends z.ZodType = z.ZodType> {
  readonly input: Input;
  run(deps: Deps, input: z.output<Input>): Promise<unknown>;
}

export function defineOperation<Input extends z.ZodType>(operation: Operation<Input>): Operation {
  return operation;
}

/** False where none of the options of an `edit` is given. */
export const hasEdit = (given: ListedRow): boolean =>
  Object.keys(given).some((name) => !["id", "project"].includes(name) && given[name] !== undefined);

/** The operation of a command whose only argument is an id. */
export const defineById = (run: (deps: Deps, id: string) => Promise<unknown>): Operation =>
  defineOperation({ input: z.object({ id: z.string() }), run: (deps, { id }) => run(deps, id) });

export const ProjectInput = z.object({ project: z.string() });

/** The operation of a command that lists what a `<project>` has; `flag` names its one flag. */
export const defineList = (
  list: (sql: Sql, projectId: string, isAsked: boolean) => Promise<unknown>,
  flag = "",
): Operation =>
  defineOperation({
    input: ProjectInput.catchall(z.boolean()),
    async run({ database: { sql } }, { project, ...flags }) {
      const { requireRightTo } = await import("../projects/rights.ts");
      await requireRightTo(sql, OPERATOR, "see", project);
      return list(sql, project, flags[flag] === true);
    },
  });

/**
 * Part of a list's input: what the list is ordered by, of the row after which the batch begins, since the row may be gone
 * when the batch is asked for. The result is that batch, empty after the last one.
 */
export const afterRow = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .object(shape)
    .nullish()
    .transform((row) => row ?? null);

export interface CommandOption {
  /** In commander's syntax, such as `--plan <plan>`. */
  readonly flags: string;
  readonly description: string;
  readonly isRequired?: boolean;
  readonly default?: string;
  /** True for a flag that may be given several times: its value is a list. */
  readonly isRepeatable?: boolean;
  /** The field of the input that standard input is read into when the flag is given. */
  readonly reads?: string;
}

/** Rows that are taken from a result, and their columns. */
export interface PrintedPart {
  readonly rowsOf: (result: ListedRow) => readonly ListedRow[];
  readonly columns: readonly Column<ListedRow>[];
  /** True for what a pipe does not get. */
  readonly isForPeople?: boolean;
}

/**
 * What is printed without `--json`: one field of the result, its rows, parts of it as a list each, or the rows of a list
 * that is read batch by batch. Several fields are separated by tabs, without those that are null or that the result lacks. `note`
 * says on stderr what came of it or what to do next, if anything. A text is written from the result and the options, and so is JSON.
 */
export type Printed =
  | {
      readonly field: string | readonly string[];
      readonly note?: (result: ListedRow) => string;
    }
  | { readonly rows: readonly Column<ListedRow>[] }
  | { readonly parts: readonly PrintedPart[] }
  | { readonly batches: readonly Column<ListedRow>[] }
  | {
      readonly text: (result: ListedRow, given: ListedRow) => string | Promise<string>;
      readonly json: (result: ListedRow) => unknown;
      readonly note?: (result: ListedRow) => string;
    };

/** Where a command runs: `isInteractive` if stdin is a terminal. */
export interface Asked extends Output {
  readonly stdin: NodeJS.ReadableStream;
  readonly isInteractive: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export interface OperatorCommand {
  /**
   * Name and arguments in commander's syntax, such as `add <email>`. Other processes ask for the command by this name.
   */
  readonly words: string;
  readonly description: string;
  readonly options?: readonly CommandOption[];
  /** Makes the operation's input, if that is not simply the arguments and options by name. */
  readonly inputOf?: (given: ListedRow, asked: Asked) => ListedRow | Promise<ListedRow>;
  readonly prints: Printed;
  /** True for a result that is a failure: the command prints it and exits with 1. */
  readonly isFailure?: (result: ListedRow) => boolean;
  /** What is asked on a terminal before it is done; elsewhere `--yes` has to be given. */
  readonly confirms?: (given: ListedRow) => string;
  /** True for a command that begins a database where there is none. */
  readonly beginsDatabase?: boolean;
  /** True for a command whose transactions take more time than a request may. */
  readonly isLong?: boolean;
  /** Loads the operation, which `--help` does not need. */
  load(): Promise<Operation>;
}

/** Commands about one thing, such as `account add`. */
export interface CommandGroup {
  readonly name: string;
  readonly description: string;
  readonly commands: readonly OperatorCommand[];
}
