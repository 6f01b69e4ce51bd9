import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { findProgram } from "../../base/program.ts";
import type { Conclusion, Setting, Task, TaskKind } from "./visits.ts";

const THREADS = { min: 2, max: 4, maxSingle: 4 };
const PING_MS = 250;
const HUNG_MS = 2000;
/** A warm-up starts a thread, which takes seconds on a busy machine. */
const WARM_UP_MS = 15_000;
const SUSPICION_MS = 3_600_000;
/** The limit of a thread's JavaScript heap. 32 concurrent checks of the largest pages took 140 MB. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 512 };

export type Call = "ping" | { number: number; task: Task } | { number: number; abort: true };

/** A thread sends no reply for an aborted task. */
export type Reply =
  | "pong"
  | { number: number; progress: true }
  | { number: number; conclusion: Conclusion }
  | { number: number; error: unknown };

/**
 * A visit ended without a result. Reason `late`: the visit was too slow. Otherwise the visit ended a thread that ran no
 * other visit.
 */
export class Interrupted extends Error {
  readonly why: "hung" | "crashed" | "late";

  constructor(why: Interrupted["why"], cause?: unknown) {
    super(`the thread of the check ${why === "late" ? "was late" : why}`, { cause });
    this.name = "Interrupted";
    this.why = why;
  }
}

export interface RunOptions {
  /** The account or host that is responsible if the visit ends its thread. */
  owner: string;
  maxMs: number;
  signal: AbortSignal;
  /** Called before each request of a probe, and after a verification's visit. A repeated visit calls it again. */
  onProgress?: (() => void) | undefined;
}

/** No site may block the server's own thread. */
export interface Threads {
  /** Resolves once the thread has loaded what a visit needs. Rejects as `run` does. */
  warmUp(signal: AbortSignal): Promise<void>;
  /** Rejects with the signal's reason when it aborts, with `Interrupted`, or with the error of the task. */
  run<Kind extends TaskKind>(task: Task<Kind>, options: RunOptions): Promise<Conclusion<Kind>>;
  close(): Promise<void>;
}

export interface ThreadsOptions {
  /** The program of a thread; tests use one that hangs. */
  file?: string | URL;
  size?: number;
  onEnd?: (error: Interrupted) => void;
}

interface Visit extends Pick<RunOptions, "owner" | "onProgress"> {
  readonly number: number;
  readonly task: Task;
  readonly settle: (outcome: { conclusion: Conclusion } | { error: unknown }) => void;
  thread?: Thread;
}

interface Thread {
  readonly worker: Worker;
  readonly isSingle: boolean;
  readonly visits: Map<number, Visit>;
  /**
   * The process's CPU time since the last pong. It is `-Infinity` before the first pong, because a start may be slow.
   */
  silentMs: number;
}

/**
 * Ends a thread that crashes, or that answers no ping during 2 s of CPU time. Each of its visits is repeated once, in a
 * thread that runs no other visit. A visit that ends its second thread is given up. For an hour, all visits of its
 * owner run in such threads, one at a time.
 */
export function createThreads(setting: Setting, options: ThreadsOptions = {}): Threads {
  const file = options.file ?? findProgram("thread-program");
  const size = options.size ?? Math.min(Math.max(availableParallelism(), THREADS.min), THREADS.max);
  const threads = new Set<Thread>();
  const queue = new Set<Visit>();
  const suspicions = new Map<string, NodeJS.Timeout>();
  let count = 0;
  let cpu = process.cpuUsage();
  let pings: NodeJS.Timeout | undefined;

  const post = ({ worker }: Thread, call: Call): void => worker.postMessage(call);

  function start(isSingle: boolean): Thread {
    const worker = new Worker(file, { workerData: setting, resourceLimits: RESOURCE_LIMITS });
    const thread: Thread = { worker, isSingle, visits: new Map(), silentMs: -Infinity };
    worker.on("message", (reply: Reply) => {
      if (reply === "pong") thread.silentMs = 0;
      else if ("progress" in reply) thread.visits.get(reply.number)?.onProgress?.();
      else thread.visits.get(reply.number)?.settle(reply);
    });
    worker.on("error", (error) => end(thread, "crashed", error));
    worker.on("exit", () => end(thread, "crashed"));
    post(thread, "ping");
    threads.add(thread);
    return thread;
  }

  function end(thread: Thread, why: "hung" | "crashed", cause?: unknown): void {
    if (!threads.delete(thread)) return;
    void thread.worker.terminate();
    const error = new Interrupted(why, cause);
    options.onEnd?.(error);
    for (const visit of thread.visits.values()) {
      if (!thread.isSingle) queue.add(visit);
      else if (thread.silentMs < 0) visit.settle({ error: new Interrupted("late", error) });
      else {
        const { owner } = visit;
        clearTimeout(suspicions.get(owner));
        suspicions.set(owner, setTimeout(() => suspicions.delete(owner), SUSPICION_MS).unref());
        visit.settle({ error });
      }
    }
    serveQueue();
  }

  /** Counts at most one interval per call, so that a pause of the server's own thread does not end other threads. */
  function pingAll(): void {
    const { user, system } = process.cpuUsage(cpu);
    cpu = process.cpuUsage();
    const busy = [...threads].filter(({ visits }) => visits.size > 0);
    if (busy.length === 0) {
      clearInterval(pings);
      pings = undefined;
    }
    for (const thread of busy) {
      thread.silentMs += Math.min((user + system) / 1000, PING_MS);
      if (thread.silentMs >= HUNG_MS) end(thread, "hung");
      else post(thread, "ping");
    }
  }

  function begin(thread: Thread, visit: Visit): void {
    thread.worker.ref();
    thread.visits.set(visit.number, visit);
    visit.thread = thread;
    post(thread, { number: visit.number, task: visit.task });
    if (pings) return;
    cpu = process.cpuUsage();
    pings = setInterval(pingAll, PING_MS).unref();
  }

  /**
   * An idle thread does not keep the process alive. After an interruption, a thread for a single visit may still be
   * busy, so it is ended.
   */
  function remove({ thread, number }: Visit, isConcluded: boolean): void {
    if (!thread?.visits.delete(number)) return;
    post(thread, { number, abort: true });
    if (thread.visits.size === 0) thread.worker.unref();
    if (thread.isSingle && !isConcluded && threads.delete(thread)) void thread.worker.terminate();
    serveQueue();
  }

  /**
   * Starting a thread takes 0.2 s of CPU time, so a thread for single visits runs one after another. It ends when it is
   * idle.
   */
  function serveQueue(): void {
    const singles = () => [...threads].filter(({ isSingle }) => isSingle);
    for (const visit of queue) {
      const running = singles().flatMap(({ visits }) => [...visits.values()]);
      if (running.length >= THREADS.maxSingle) break;
      if (running.some(({ owner }) => owner === visit.owner)) continue;
      queue.delete(visit);
      begin(singles().find(({ visits }) => visits.size === 0) ?? start(true), visit);
    }
    for (const thread of singles())
      if (thread.visits.size === 0 && threads.delete(thread)) void thread.worker.terminate();
  }

  function chooseShared(): Thread {
    const shared = [...threads].filter(({ isSingle }) => !isSingle);
    const loadOf = ({ visits, silentMs }: Thread) => (silentMs > PING_MS ? Infinity : visits.size);
    const [least] = shared.toSorted((one, other) => loadOf(one) - loadOf(other));
    return least && (loadOf(least) === 0 || shared.length >= size) ? least : start(false);
  }

  async function run<Kind extends TaskKind>(
    task: Task<Kind>,
    { owner, maxMs, signal, onProgress }: RunOptions,
  ): Promise<Conclusion<Kind>> {
    signal.throwIfAborted();
    return new Promise((resolve, reject) => {
      const settle: Visit["settle"] = (outcome) => {
        clearTimeout(timer);
        signal.removeEventListener("abort", abort);
        queue.delete(visit);
        remove(visit, "conclusion" in outcome);
        if ("conclusion" in outcome) resolve(outcome.conclusion as Conclusion<Kind>);
        else reject(outcome.error);
      };
      const visit: Visit = { number: count++, task, owner, onProgress, settle };
      const abort = () => settle({ error: signal.reason });
      const timer = setTimeout(() => settle({ error: new Interrupted("late") }), maxMs);
      signal.addEventListener("abort", abort, { once: true });
      if (!suspicions.has(owner)) return begin(chooseShared(), visit);
      queue.add(visit);
      serveQueue();
    });
  }

  return {
    async warmUp(signal) {
      const order = { lookAt: "", maxMs: WARM_UP_MS, endsBy: Infinity };
      await run({ kind: "look", order, known: [] }, { owner: "", maxMs: WARM_UP_MS, signal });
    },
    run,
    async close() {
      const all = [...threads];
      const visits = [...queue, ...all.flatMap((thread) => [...thread.visits.values()])];
      threads.clear();
      queue.clear();
      const error = new Error("the thread of the check was ended");
      for (const visit of visits) visit.settle({ error });
      await Promise.all(all.map(({ worker }) => worker.terminate()));
    },
  };
}
