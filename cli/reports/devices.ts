import { closeSync, constants, openSync, statSync, writeSync } from "node:fs";
import { promises as timers } from "node:timers";

/** Streams that are open when the command starts: `/dev/stdout`, `/dev/fd/63`. */
export const OPEN_STREAM = /^\/(?:dev\/(?:stdout|stderr|fd\/\d{1,9})|proc\/self\/fd\/\d{1,9})$/;

const PAUSE_MS = 20;

function failedFor(error: unknown, reasons: readonly unknown[]): boolean {
  return error instanceof Error && "code" in error && reasons.includes(error.code);
}

async function retry<T>(
  reasons: readonly unknown[],
  signal: AbortSignal,
  work: () => T,
): Promise<T> {
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!failedFor(error, reasons)) throw error;
    }
    await timers.setTimeout(PAUSE_MS, undefined, { signal });
  }
}

function openWithoutWait(path: string): number {
  return openSync(path, constants.O_WRONLY | (constants.O_NONBLOCK ?? 0));
}

function findOpenStream(path: string): number | undefined {
  if (!OPEN_STREAM.test(path)) return undefined;
  const standard = ["/dev/stdout", "/dev/stderr"].indexOf(path);
  return standard < 0 ? Number(/\d+$/.exec(path)?.[0]) : standard + 1;
}

/** Waits for the reader of a pipe until the signal aborts. A reader may close the pipe early. */
export async function writeToDevice(
  path: string,
  text: string,
  signal: AbortSignal,
): Promise<void> {
  const stream = findOpenStream(path);
  const isPipe = statSync(path).isFIFO();
  const fd = stream ?? (await retry(isPipe ? ["ENXIO"] : [], signal, () => openWithoutWait(path)));
  try {
    const bytes = Buffer.from(text);
    for (let done = 0; done < bytes.length;)
      done += await retry(["EAGAIN"], signal, () => writeSync(fd, bytes, done));
  } catch (error) {
    if (!failedFor(error, ["EPIPE"])) throw error;
  } finally {
    if (stream === undefined) closeSync(fd);
  }
}
