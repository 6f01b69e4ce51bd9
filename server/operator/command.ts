import type { Command } from "commander";
import * as z from "zod";
import { OPERATOR } from "../db/accounts/actors.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps } from "../deps.ts";
import type { ListedRow, Output, Printer } from "./output.ts";

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

/** Where a command runs: `isInteractive` if stdin is a terminal. */
export interface Asked extends Output {
  readonly stdin: NodeJS.ReadableStream;
  readonly isInteractive: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** What a command does; its words and options are commander's. An option `--x-stdin` reads the input `x` from stdin. */
export interface Operated {
  /** Loads the operation, which `--help` does not need. */
  load(): Promise<Operation>;
  /** Makes the operation's input, if that is not simply the arguments and options by name. */
  inputOf?(given: ListedRow, asked: Asked): ListedRow | Promise<ListedRow>;
  /** Prints the result without `--json`. */
  print(result: unknown, printer: Printer, given: ListedRow): void | Promise<void>;
  /** What `--json` prints, if that is not simply the result. */
  toJson?(result: unknown): unknown;
  /** True for a list that is read batch by batch, which is printed as `Batches`. */
  readonly isBatched?: boolean;
  /** True for a result that is a failure: the command prints it and exits with 1. */
  isFailure?(result: unknown): boolean;
  /** What is asked on a terminal before it is done; elsewhere `--yes` has to be given. */
  confirms?(given: ListedRow): string;
  /** True for a command that begins a database where there is none. */
  readonly beginsDatabase?: boolean;
  /** True for a command whose transactions take more time than a request may. */
  readonly isLong?: boolean;
}

/** Says what a command does. */
export type Operate = (command: Command, operated: Operated) => void;

/** Adds a command, or the commands about one thing, such as `account add`. */
export type AddCommands = (program: Command, operate: Operate) => void;

/** Collects the values of an option that may be given several times. */
export const collect = (value: string, before: readonly string[] = []) => [...before, value];
