import { describeFailure } from "../../server/operator/error-words.ts";

/** A failure as an operator is told of it: its sentence, and the exit code of the command. */
export class Told extends Error {
  readonly exitCode: number;

  constructor(cause: unknown) {
    const { exitCode, words } = describeFailure(cause);
    super(words, { cause });
    this.exitCode = exitCode;
  }
}

/** What `run` throws, it throws as an operator is told of it. */
export function inWords<Result>(run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw new Told(error);
  }
}

export const rejectInWords = (error: unknown): never => {
  throw new Told(error);
};
