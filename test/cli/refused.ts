import { expect } from "vitest";
import { parseCommandLine } from "../../cli/program.ts";

/** Expects a command line to be refused for its usage, before anything is read or sent. */
export const expectRefused = (words: readonly string[], error: object = {}) =>
  expect(parseCommandLine([...words], "1.0.0")).rejects.toMatchObject({ exitCode: 2, ...error });
