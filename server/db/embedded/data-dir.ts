import { closeSync, openSync } from "node:fs";
import { access, mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../../base/errors.ts";
import type { Holder, Perform, HolderWork } from "./admin-socket.ts";
import { findHolder, openAdminSocket, performOver } from "./admin-socket.ts";
import { DIRECTORY, socketOf } from "./pglite.ts";

export type Occupancy =
  | {
      held: true;
      /** Waits for running work and closes the database before it releases the directory. */
      leave(closeDatabase: () => Promise<void>): Promise<void>;
    }
  | { held: false; holder: Holder; perform: Perform };

/** The longest path of a Unix socket on any platform (sun_path is 104 bytes on macOS). */
const MAX_SOCKET_PATH_BYTES = 100;
const RETRY_MS = 50;
const SETTLE_MS = 15_000;

const lockOf = (dataDir: string): string => join(dataDir, "lock");
const adminSocketOf = (dataDir: string): string => join(dataDir, "admin.sock");

function requireShortPath(dataDir: string): void {
  const longest = Buffer.byteLength(socketOf(dataDir));
  if (longest <= MAX_SOCKET_PATH_BYTES) return;
  const maxBytes = MAX_SOCKET_PATH_BYTES - longest + Buffer.byteLength(dataDir);
  throw new AppError("data_dir_path_too_long", { dataDir, maxBytes });
}

/** Also true while a process may be creating one. */
export async function holdsDatabase(dataDir: string): Promise<boolean> {
  const paths = [join(dataDir, DIRECTORY), adminSocketOf(dataDir)];
  return Promise.any(paths.map((path) => access(path))).then(
    () => true,
    () => false,
  );
}

/** Imported only when needed: it is native code, which not every platform has. */
async function loadTryLock(): Promise<(fd: number) => boolean> {
  try {
    return (await import("fs-native-extensions")).tryLock;
  } catch (error) {
    const platform = `${process.platform}-${process.arch}`;
    throw new AppError("lock_library_missing", { platform }, { cause: error });
  }
}

async function useDataDir<Result>(dataDir: string, use: () => Result): Promise<Awaited<Result>> {
  try {
    return await use();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new AppError("data_dir_unusable", { dataDir, reason: code ?? message }, { cause: error });
  }
}

/**
 * The kernel releases the lock when the process ends. Throws `data_dir_path_too_long`, `data_dir_unusable`,
 * `lock_library_missing`, `data_dir_changes_hands` and `holder_silent`.
 */
export async function occupyDataDir(
  dataDir: string,
  command: string,
  work: HolderWork,
): Promise<Occupancy> {
  requireShortPath(dataDir);
  const tryLock = await loadTryLock();
  // A number, because a FileHandle closes its file when it is garbage-collected, which would release the lock.
  const lock = await useDataDir(dataDir, async () => {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    return openSync(lockOf(dataDir), "a", 0o600);
  });
  const path = adminSocketOf(dataDir);
  const deadline = performance.now() + SETTLE_MS;
  try {
    while (!(await useDataDir(dataDir, () => tryLock(lock)))) {
      const holder = await findHolder(path);
      if (holder !== undefined) {
        closeSync(lock);
        return { held: false, holder, perform: performOver(path) };
      }
      // A process with the lock that does not listen is opening or leaving the directory.
      if (performance.now() > deadline) throw new AppError("data_dir_changes_hands", { dataDir });
      await sleep(RETRY_MS);
    }
    const self = { command, pid: process.pid, since: new Date().toISOString() };
    const socket = await useDataDir(dataDir, () => openAdminSocket(path, self, work));
    return {
      held: true,
      async leave(closeDatabase) {
        await socket.close();
        await closeDatabase().finally(() => closeSync(lock));
      },
    };
  } catch (error) {
    closeSync(lock);
    throw error;
  }
}
