import type { Env, Io } from "./io.ts";

/** What a command may touch besides its arguments. `signal` aborts when the user or the system ends the command. */
export interface Context {
  readonly env: Env;
  readonly io: Io;
  readonly signal: AbortSignal;
  readonly now: () => Date;
}

/** The flags that every command takes. */
export interface CommonFlags {
  readonly json?: true;
  readonly baseUrl?: string;
  readonly timeout?: number;
  readonly verbose?: true;
}
