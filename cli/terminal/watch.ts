import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "./context.ts";
import { CliError } from "./errors.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";

/** Where a value that is read again and again is shown. */
export interface Display<T> {
  /** Shows what was read. Resolves to false when nobody looks at it any more. */
  show(value: T, readAt: Date): Promise<boolean>;
  /** Tells that the server has not answered since a time. */
  lose(error: CliError, since: Date): Promise<void>;
  close(): Promise<void>;
}

/** Failures that may pass: those of the server, or of the network on the way to it. */
const PASSING: readonly ExitCode[] = [EXIT.noAnswer, EXIT.serverFailed, EXIT.serverUnavailable];

/**
 * Reads a value at each interval and shows it, until the signal aborts. `read` gets a context that writes no notes, since
 * the display tells when the server is away.
 * @throws CliError for a refusal that will not pass by itself
 */
export async function watch<T>(
  context: Context,
  intervalMs: number,
  read: (quiet: Context) => Promise<T>,
  display: Display<T>,
): Promise<ExitCode> {
  const { io, signal, now } = context;
  const quiet = { ...context, io: { ...io, note: async () => {} } };
  let lostAt: Date | undefined;
  try {
    for (;;) {
      const askedAt = now();
      try {
        const value = await read(quiet);
        lostAt = undefined;
        if (!(await display.show(value, askedAt))) return EXIT.done;
      } catch (error) {
        if (!(error instanceof CliError) || !PASSING.includes(error.exitCode)) throw error;
        lostAt ??= askedAt;
        await display.lose(error, lostAt);
      }
      await sleep(intervalMs, undefined, { signal });
    }
  } finally {
    await display.close();
  }
}
