import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { readIssue } from "../base/input-faults.ts";
import { COMMANDS, nameOperation } from "./commands.ts";

/** Performs an operator command. Throws `operation_unknown`, `input_invalid`, and whatever its verb throws. */
export type PerformOperation = (deps: Deps, name: string, input: unknown) => Promise<unknown>;

/** Loads all operations at once, so that a program whose files are replaced while it runs does not mix versions. */
export async function loadOperations(): Promise<PerformOperation> {
  const commands = COMMANDS.flatMap((declared) =>
    "words" in declared
      ? { name: nameOperation(declared), command: declared }
      : declared.commands.map((command) => ({ name: nameOperation(command, declared), command })),
  );
  const operations = new Map(
    await Promise.all(
      commands.map(async ({ name, command }) => [name, await command.load()] as const),
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
