import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";

/** Starts a server, a site or a relay before the tests that follow, and closes it after them. */
export function startForAll<Started extends { close(): unknown } | AsyncDisposable>(
  start: () => Promise<Started>,
): Started {
  const started = {} as Started;
  beforeAll(async () => void Object.assign(started, await start()));
  afterAll(() => ("close" in started ? started.close() : started[Symbol.asyncDispose]()));
  return started;
}

/** A folder that is there for the tests that follow. */
export function makeFolderForAll(): string {
  const folder = join(tmpdir(), `sc-${randomUUID()}`);
  beforeAll(() => mkdir(folder));
  afterAll(() => rm(folder, { recursive: true }));
  return folder;
}
