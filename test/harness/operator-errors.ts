import { describeFailure } from "../../server/base/errors.ts";

/** A failure as an operator sees it: its message, and the command's exit code. */
export class OperatorError extends Error {
  readonly exitCode: number;

  constructor(cause: unknown) {
    const { exitCode, words } = describeFailure(cause);
    super(words, { cause });
    this.exitCode = exitCode;
  }
}

/** Runs a function; rethrows its failures as an operator sees them. */
export function rethrowForOperator<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw new OperatorError(error);
  }
}

export const rejectForOperator = (error: unknown): never => {
  throw new OperatorError(error);
};
