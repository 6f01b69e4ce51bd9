import { describeFailure } from "../../server/base/errors.ts";

/** A failure as an operator sees it: its message, and the command's exit code. */
export class WordsError extends Error {
  readonly exitCode: number;

  constructor(cause: unknown) {
    const { exitCode, words } = describeFailure(cause);
    super(words, { cause });
    this.exitCode = exitCode;
  }
}

/** Runs a function; what it throws is rethrown as an operator sees it. */
export function inWords<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw new WordsError(error);
  }
}

export const rejectInWords = (error: unknown): never => {
  throw new WordsError(error);
};
