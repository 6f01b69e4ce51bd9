import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { KnownNames } from "../probe/guard.ts";
import type { Orders, Results, VerificationKind } from "./judge.ts";
import type { Call, Reply, Setting } from "./thread.ts";

const MAX_THREADS = 4;
/** A visit ends within 8 s: a thread that has not answered by then hangs in something. */
const HUNG_MS = 15_000;

/** The threads in which sites are visited and judged, so that nothing a site sends can keep this one from its work. */
export interface Threads {
  /** Starts a thread, so that the first call need not wait for it. */
  open(): void;
  /**
   * Goes on with a vetted visit. Rejects with the signal's reason when it aborts, and with an Error when the thread
   * broke down, which the next call replaces.
   */
  run<Kind extends VerificationKind>(
    kind: Kind,
    order: Orders[Kind],
    known: KnownNames,
    signal: AbortSignal,
  ): Promise<Results[Kind]>;
  close(): Promise<void>;
}

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

interface Thread {
  worker: Worker;
  waiting: Map<number, Waiting>;
}

/** Threads are started as they are needed, one a processor but for this one's. */
export function createThreads(setting: Setting): Threads {
  const size = Math.min(Math.max(availableParallelism() - 1, 1), MAX_THREADS);
  const threads = new Set<Thread>();
  let calls = 0;

  function start(): Thread {
    const file = createRequire(import.meta.url).resolve("#check-thread");
    const thread: Thread = {
      worker: new Worker(file, { workerData: setting }),
      waiting: new Map(),
    };
    const end = (reason: unknown): void => {
      threads.delete(thread);
      for (const { reject } of thread.waiting.values()) reject(reason);
      thread.waiting.clear();
    };
    thread.worker.on("error", end);
    thread.worker.on("exit", () => end(new Error("the thread of the check was ended")));
    thread.worker.on("message", (reply: Reply) => {
      const waiting = thread.waiting.get(reply.number);
      if ("result" in reply) waiting?.resolve(reply.result);
      else waiting?.reject(reply.error);
    });
    // A thread without work does not keep the process from ending.
    thread.worker.unref();
    threads.add(thread);
    return thread;
  }

  function choose(): Thread {
    const [least] = [...threads].toSorted((one, other) => one.waiting.size - other.waiting.size);
    if (least && (least.waiting.size === 0 || threads.size >= size)) return least;
    return start();
  }

  return {
    open() {
      if (threads.size === 0) start();
    },
    async run(_kind, order, known, signal) {
      signal.throwIfAborted();
      const { worker, waiting } = choose();
      const number = calls++;
      const post = (call: Call): void => worker.postMessage(call);
      const hung = setTimeout(() => void worker.terminate(), HUNG_MS);
      let abort = (): void => {};
      worker.ref();
      try {
        return await new Promise((resolve, reject) => {
          waiting.set(number, { resolve: resolve as Waiting["resolve"], reject });
          abort = () => {
            post({ number, abort: true });
            reject(signal.reason);
          };
          signal.addEventListener("abort", abort, { once: true });
          post({ number, order, known });
        });
      } finally {
        clearTimeout(hung);
        signal.removeEventListener("abort", abort);
        waiting.delete(number);
        if (waiting.size === 0) worker.unref();
      }
    },
    async close() {
      await Promise.all([...threads].map(({ worker }) => worker.terminate()));
    },
  };
}
