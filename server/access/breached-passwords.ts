import { hash } from "node:crypto";
import { open, stat, type FileHandle } from "node:fs/promises";
import { AppError } from "../base/errors.ts";

const LINE = /^([\dA-F]{40})(?::\d{1,20})?\r?$/i;
/** Longer than any line. */
const MAX_LINE_BYTES = 128;
const PROBES = 64;

/** A line of the file: its hash in capitals, and where it and the line after it begin. */
interface Line {
  hash: string;
  start: number;
  next: number;
}

const unusable = (reason: string, cause?: unknown) =>
  new AppError("breached_passwords_unusable", { reason }, { cause });

/** The first line that begins at a byte or after it; undefined if none does. */
async function readLine(file: FileHandle, from: number): Promise<Line | undefined> {
  const before = Math.max(0, from - 1);
  const length = 2 * MAX_LINE_BYTES;
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, before);
  const text = buffer.toString("latin1", 0, bytesRead);
  const start = from === 0 ? 0 : text.indexOf("\n") + 1 || text.length;
  if (start === text.length && text.length < length) return undefined;
  const [line = ""] = text.slice(start).split("\n", 1);
  const found = LINE.exec(line)?.[1];
  if (found === undefined) throw unusable("no_hashes");
  const next = before + start + line.length + 1;
  return { hash: found.toUpperCase(), start: before + start, next };
}

async function withFile<Result>(
  path: string,
  work: (file: FileHandle, size: number) => Promise<Result>,
): Promise<Result> {
  try {
    const found = await stat(path);
    if (!found.isFile() || found.size === 0) throw unusable("no_hashes");
    const file = await open(path);
    return await work(file, found.size).finally(() => file.close());
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw unusable((error as NodeJS.ErrnoException).code ?? "unreadable", error);
  }
}

/**
 * Whether a password is in a file of SHA-1 hashes, one a line (`HASH` or `HASH:count`), in ascending order: about 40 short
 * reads, however long the file is. Throws `breached_passwords_unusable`.
 */
export const isBreached = (path: string, password: string): Promise<boolean> =>
  withFile(path, async (file, size) => {
    const wanted = hash("sha1", password).toUpperCase();
    let [low, high] = [0, size];
    let [least, most] = ["", "G"];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const line = await readLine(file, middle);
      if (line === undefined || line.start >= high) {
        high = middle;
        continue;
      }
      if (line.hash === wanted) return true;
      if (line.hash < least || line.hash > most) throw unusable("not_sorted");
      if (line.hash < wanted) [low, least] = [line.next, line.hash];
      else [high, most] = [middle, line.hash];
    }
    return false;
  });

/** Looks at lines all over the file. Throws `breached_passwords_unusable`. */
export const checkBreachedPasswords = (path: string): Promise<void> =>
  withFile(path, async (file, size) => {
    let least = "";
    for (let probe = 0; probe < PROBES; probe++) {
      const { hash: next = least } =
        (await readLine(file, Math.floor((size * probe) / PROBES))) ?? {};
      if (next < least) throw unusable("not_sorted");
      least = next;
    }
  });
