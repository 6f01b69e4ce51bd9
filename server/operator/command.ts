import type { Command } from "commander";
import * as z from "zod";
import { OPERATOR } from "../db/accounts/actors.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps } from "../deps.ts";
import type { ListedRow, Output, Printer } from "./output.ts";

/** Input and result are JSON, since the operation may run in another process. If there is no result, the command prints the input. */
export interface Operation<Input extends z.ZodType = z.ZodType> {
  readonly input: Input;
  run(deps: Deps, input: z.output<Input>): Promise<unknown>;
}

export function defineOperation<Input extends z.ZodType>(operation: Operation<Input>): Operation {
  return operation;
}

export const hasEdit = (given: ListedRow): boolean =>
  Object.keys(given).some((name) => !["id", "project"].includes(name) && given[name] !== undefined);

export const defineById = (run: (deps: Deps, id: string) => Promise<unknown>): Operation =>
  defineOperation({ input: z.object({ id: z.string() }), run: (deps, { id }) => run(deps, id) });

export const ProjectInput = z.object({ project: z.string() });

/** `flag` is the command's only flag. */
export const defineList = (
  list: (sql: Sql, projectId: string, hasFlag: boolean) => Promise<unknown>,
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

/** The order keys of the last row before the batch. An id is not enough, since that row may be deleted by now. */
export const afterRow = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z
    .object(shape)
    .nullish()
    .transform((row) => row ?? null);

/** `isInteractive` is true if stdin is a terminal. */
export interface CommandContext extends Output {
  readonly stdin: NodeJS.ReadableStream;
  readonly isInteractive: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** An option `--x-stdin` reads the input `x` from stdin. */
export interface CommandBehavior {
  /** Loads the operation, which `--help` does not need. */
  load(): Promise<Operation>;
  /** Converts arguments and options to the operation's input; by default, each is the input of the same name. */
  inputOf?(given: ListedRow, asked: CommandContext): ListedRow | Promise<ListedRow>;
  print(result: unknown, printer: Printer, given: ListedRow): void | Promise<void>;
  /** Converts the result for `--json`; by default, the result is printed as it is. */
  toJson?(result: unknown): unknown;
  /** True for a list that is read batch by batch, and printed as `Batches`. */
  readonly isBatched?: boolean;
  /** True if the result is a failure: the command prints it and exits with 1. */
  isFailure?(result: unknown): boolean;
  /** The question to confirm on a terminal; elsewhere, `--yes` is required. */
  confirms?(given: ListedRow): string;
  /** True if the command creates the database where there is none. */
  readonly beginsDatabase?: boolean;
  /** True if the command's transactions may take longer than the limit for requests. */
  readonly isLong?: boolean;
}

export type Operate = (command: Command, operated: CommandBehavior) => void;

export type AddCommands = (program: Command, operate: Operate) => void;

export const collect = (value: string, before: readonly string[] = []) => [...before, value];
