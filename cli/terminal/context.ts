import type { Readable } from "node:stream";
import type { Command } from "commander";
import type { Env, Io } from "./io.ts";

/** What a command may touch besides its arguments. `signal` aborts when the user or the system ends the command. */
export interface Context {
  readonly env: Env;
  readonly io: Io;
  readonly version: string;
  readonly openStdin: () => Readable;
  readonly signal: AbortSignal;
  readonly now: () => Date;
  /** Each command with its arguments and flags, for completions. */
  readonly describeCommands: () => Promise<Command[]>;
}
