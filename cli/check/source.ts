import { constants, createReadStream, openSync, statSync } from "node:fs";
import { addAbortSignal, type Readable } from "node:stream";
import type { Context } from "../terminal/context.ts";

export type Reading = Pick<Context, "openStdin" | "signal">;

/** A file, or stdin for `-`, as a stream that the signal ends. */
export async function openSource(path: string, { openStdin, signal }: Reading): Promise<Readable> {
  if (path === "-") return addAbortSignal(signal, openStdin());
  if (!statSync(path).isFIFO()) return createReadStream(path, { signal });
  // A stream of a file would wait for the writer in a thread, which keeps the process until there is one.
  const { Socket } = await import("node:net");
  const fd = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  return addAbortSignal(signal, new Socket({ fd, readable: true, writable: false }));
}
