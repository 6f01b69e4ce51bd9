import { once } from "node:events";
import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";

/** A Postgres in a thread of its own, reached through a socket. It has a single session: connect exactly once. */
export interface EmbeddedDatabase {
  readonly socketPath: string;
  close(): Promise<void>;
}

/**
 * Opens the embedded database in a data directory that this process holds. The first start unpacks one that was
 * initialised when the program was built. An error in its thread later on ends the process.
 */
export async function openEmbedded(dataDir: string): Promise<EmbeddedDatabase> {
  const program = createRequire(import.meta.url).resolve("#database-program");
  const thread = new Worker(program, { workerData: dataDir });
  const ended = new AbortController();
  thread.once("exit", () => ended.abort());
  const hear = () => once(thread, "message", ended);
  const [socketPath] = (await hear()) as [string];
  return {
    socketPath,
    async close() {
      const closed = hear();
      thread.postMessage("close");
      await closed;
      await thread.terminate();
    },
  };
}
