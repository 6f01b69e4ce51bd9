import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";

interface Closable extends AsyncDisposable {
  close(): unknown;
}

/**
 * Shares a resource between the tests of a file or `describe`. Starts the resource before the first test and closes it after the last.
 * Several resources close in reverse order.
 */
export function use<Shared extends object>(
  start: () => Shared | Promise<Shared>,
  end: (shared: Partial<Closable> & Shared) => unknown = (shared) =>
    shared.close?.() ?? shared[Symbol.asyncDispose]?.(),
): Shared {
  const shared = {} as Shared;
  beforeAll(async () => void Object.assign(shared, await start()));
  afterAll(() => end(shared));
  return shared;
}

/** Creates a folder for the tests that follow. */
export function useFolder(): string {
  const folder = join(tmpdir(), `sc-${randomUUID()}`);
  beforeAll(() => mkdir(folder));
  afterAll(() => rm(folder, { recursive: true }));
  return folder;
}
