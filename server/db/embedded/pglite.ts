import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { findProgram } from "../../base/program.ts";

/** A Postgres with a single session: connect exactly once. */
export interface EmbeddedDatabase {
  readonly socketPath: string;
  close(): Promise<void>;
}

export interface DatabaseData {
  readonly dataDir: string;
  readonly socketPath: string;
}

/** Ends a thread that hangs, for example because its directory is gone. The next start recovers the database. */
const CLOSE_MS = 10_000;

export const DIRECTORY = "postgres";

export const socketOf = (dataDir: string): string => join(dataDir, "postgres.sock");

/** Needs a directory that this process holds. A later error in the thread is an uncaught error of the process. */
export async function openEmbedded(dataDir: string): Promise<EmbeddedDatabase> {
  const workerData: DatabaseData = { dataDir, socketPath: socketOf(dataDir) };
  const thread = new Worker(findProgram("database-program"), { workerData });
  const ended = new AbortController();
  thread.once("exit", () => ended.abort());
  await once(thread, "message", ended);
  return {
    socketPath: workerData.socketPath,
    async close() {
      if (ended.signal.aborted) return;
      const patience = setTimeout(() => void thread.terminate(), CLOSE_MS);
      thread.postMessage("close");
      await once(thread, "exit").finally(() => clearTimeout(patience));
    },
  };
}
