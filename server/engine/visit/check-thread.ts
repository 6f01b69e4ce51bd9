import { Worker } from "node:worker_threads";
import { createCurrentCall, readCurrentCall } from "./current-call.ts";
import type { Conclusion, Task, TaskKind } from "./orders.ts";
import type { Call, Reply, ThreadData } from "./thread-program.ts";

const TICK_MS = 250;
const HUNG_MS = 2000;
/** A visit ends within 8 s and is judged quickly; a check that takes longer is on an overloaded machine. */
const LATE_MS = 15_000;
/** Limit of a thread's JavaScript heap; 32 concurrent checks of the largest pages took 140. */
const MAX_HEAP_MB = 512;

/**
 * A check did not end: its thread hung or crashed, or the check itself was late. `isOwnDoing`: the thread was working
 * for this very check.
 */
export class Interrupted extends Error {
  readonly why: "hung" | "crashed" | "late";
  readonly isOwnDoing: boolean;

  constructor(why: Interrupted["why"], isOwnDoing: boolean, cause?: unknown) {
    super(`the thread of the check ${why === "late" ? "was late" : why}`, { cause });
    this.name = "Interrupted";
    this.why = why;
    this.isOwnDoing = isOwnDoing;
  }
}

/** A thread that visits and judges, and the calls waiting for it. */
export interface CheckThread {
  readonly load: number;
  /** For how long it has started nothing new. */
  readonly stalledMs: number;
  /** Rejects with the signal's reason if it aborts, and with `Interrupted`, at the latest after `maxMs`. */
  run<Kind extends TaskKind>(task: Task<Kind>, options: RunOptions): Promise<Conclusion<Kind>>;
  close(): Promise<void>;
}

export interface RunOptions {
  owner: string;
  maxMs: number;
  signal: AbortSignal;
  onAsking?: (() => void) | undefined;
  onJudging?: (() => void) | undefined;
}

interface Waiting extends Pick<RunOptions, "onAsking" | "onJudging"> {
  owner: string;
  ticksLeft: number;
  resolve: (conclusion: Conclusion) => void;
  reject: (error: unknown) => void;
}

/** Starts a thread. `onEnd` is called when it hangs or crashes, with the owner of the call that it was working for. */
export function startThread(
  file: string | URL,
  { setting, niceness }: Omit<ThreadData, "currentCall">,
  onEnd: (error: Interrupted, culprit: string | undefined) => void,
): CheckThread {
  const currentCall = createCurrentCall();
  const waiting = new Map<number, Waiting>();
  const workerData: ThreadData = { setting, niceness, currentCall };
  const resourceLimits = { maxOldGenerationSizeMb: MAX_HEAP_MB };
  const worker = new Worker(file, { workerData, resourceLimits });
  const post = (call: Call): void => worker.postMessage(call);
  let calls = 0;
  let isOver = false;
  let watch: NodeJS.Timeout | undefined;
  let seen = { turn: 0, idleMs: 0 };
  let cpu = process.cpuUsage();
  let stalledMs = 0;

  function end(why: "hung" | "crashed", cause?: unknown): void {
    if (isOver) return;
    isOver = true;
    const { call } = readCurrentCall(currentCall);
    const culprit = call === undefined ? undefined : waiting.get(call);
    onEnd(new Interrupted(why, culprit !== undefined, cause), culprit?.owner);
    for (const one of waiting.values()) one.reject(new Interrupted(why, one === culprit, cause));
    void worker.terminate();
  }

  /**
   * A thread hangs if it started nothing and never waited while the process used 2 s of processor time; a suspended or
   * starved process uses none. Without any use a tick counts a quarter. While it starts, no site can harm it: only its
   * calls are late.
   */
  function look(): void {
    const { user, system } = process.cpuUsage(cpu);
    cpu = process.cpuUsage();
    const { turn } = readCurrentCall(currentCall);
    const idleMs = worker.performance.eventLoopUtilization().idle;
    const hasMoved = turn === 0 || turn !== seen.turn || idleMs !== seen.idleMs;
    seen = { turn, idleMs };
    const usedMs = Math.min((user + system) / 1000, TICK_MS);
    stalledMs = hasMoved ? 0 : stalledMs + Math.max(usedMs, TICK_MS / 4);
    if (stalledMs >= HUNG_MS) return end("hung");
    for (const [number, one] of waiting) {
      if (--one.ticksLeft > 0) continue;
      post({ number, abort: true });
      one.reject(new Interrupted("late", false));
    }
  }

  function begin(): void {
    worker.ref();
    cpu = process.cpuUsage();
    stalledMs = 0;
    watch ??= setInterval(look, TICK_MS);
  }

  /** An idle thread does not keep the process alive. */
  function rest(): void {
    worker.unref();
    clearInterval(watch);
    watch = undefined;
  }

  worker.on("error", (error) => end("crashed", error));
  worker.on("exit", () => end("crashed"));
  worker.on("message", (reply: Reply) => {
    const one = waiting.get(reply.number);
    if ("isAsking" in reply) one?.onAsking?.();
    else if ("isJudging" in reply) one?.onJudging?.();
    else if ("error" in reply) one?.reject(reply.error);
    else one?.resolve(reply.conclusion);
  });
  rest();

  return {
    get load() {
      return waiting.size;
    },
    get stalledMs() {
      return stalledMs;
    },
    async run<Kind extends TaskKind>(
      task: Task<Kind>,
      { maxMs, signal, ...heard }: RunOptions,
    ): Promise<Conclusion<Kind>> {
      const number = calls++;
      const ticksLeft = Math.ceil(Math.min(maxMs, LATE_MS) / TICK_MS);
      let abort = (): void => {};
      if (waiting.size === 0) begin();
      try {
        return await new Promise((resolve, reject) => {
          // A reply with the number of a task is of the task's kind.
          const settle = (conclusion: Conclusion) => resolve(conclusion as Conclusion<Kind>);
          waiting.set(number, { ...heard, ticksLeft, resolve: settle, reject });
          abort = () => {
            post({ number, abort: true });
            reject(signal.reason);
          };
          signal.addEventListener("abort", abort, { once: true });
          post({ number, task });
        });
      } finally {
        signal.removeEventListener("abort", abort);
        waiting.delete(number);
        if (waiting.size === 0) rest();
      }
    },
    async close() {
      isOver = true;
      for (const { reject } of waiting.values())
        reject(new Error("the thread of the check was ended"));
      await worker.terminate();
    },
  };
}
