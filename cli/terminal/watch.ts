import { setTimeout as sleep } from "node:timers/promises";
import type { Context } from "./context.ts";
import { CliError, usageError } from "./errors.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";
import type { Screen } from "./io.ts";
import { hang } from "./layout.ts";

/** What is kept on the screen. The context that `read` gets writes no notes. */
export interface Watched<T> {
  readonly read: (quiet: Context) => Promise<T>;
  readonly show: (value: T, screen: Screen) => string;
}

/** Failures that may pass: those of the server, or of the network on the way to it. */
const PASSING: readonly ExitCode[] = [EXIT.noAnswer, EXIT.serverFailed, EXIT.serverUnavailable];

function describeClock(date: Date): string {
  return `${date.toISOString().slice(11, 19)} UTC`;
}

/**
 * Draws a value and redraws it in place at each interval, until the signal aborts. While the server is away, the last
 * value stays on the screen, with the time since when.
 * @throws CliError 2 without a terminal, and any refusal that will not pass by itself
 */
export async function watch<T>(
  context: Context,
  intervalMs: number,
  { read, show }: Watched<T>,
): Promise<never> {
  const { io, signal, now } = context;
  const { screen } = io;
  if (screen === null || !io.canRedraw)
    throw usageError("--watch needs a terminal to draw on", "Leave it out, and repeat the command");
  const quiet = { ...context, io: { ...io, note: async () => {} } };
  let page = "";
  let lostAt: Date | undefined;
  for (;;) {
    let status: string;
    const askedAt = now();
    try {
      page = show(await read(quiet), screen);
      lostAt = undefined;
      status = `Read at ${describeClock(now())}, again every ${intervalMs / 1000} s. Ctrl-C ends.`;
    } catch (error) {
      if (!(error instanceof CliError) || !PASSING.includes(error.exitCode)) throw error;
      lostAt ??= askedAt;
      status = `No answer since ${describeClock(lostAt)}: ${error.message}.`;
    }
    const style = lostAt === undefined ? screen.chalk.dim : screen.chalk.yellow;
    await io.redraw(`${page}\n${hang("", status, screen.columns, style).join("\n")}\n`);
    await sleep(intervalMs, undefined, { signal });
  }
}
