import { setMaxListeners } from "node:events";

export interface Deadline {
  signal: AbortSignal;
  abort: () => void;
  /** From now on, only the parent aborts the signal. */
  extend: () => void;
  clear: () => void;
}

/** All aborts share one reason, because by default each creates an exception with a stack trace. */
const OVER = new Error("the time for it was over");

export function openDeadline(parent: AbortSignal, timeoutMs?: number): Deadline {
  const controller = new AbortController();
  const abort = (): void => controller.abort(parent.reason);
  const timer =
    timeoutMs === undefined ? undefined : setTimeout(() => controller.abort(OVER), timeoutMs);
  setMaxListeners(0, parent);
  if (parent.aborted) abort();
  else parent.addEventListener("abort", abort, { once: true });
  return {
    signal: controller.signal,
    abort: () => controller.abort(OVER),
    extend: () => clearTimeout(timer),
    clear() {
      clearTimeout(timer);
      parent.removeEventListener("abort", abort);
    },
  };
}

export function elapsedMs(startedAt: number): number {
  return Math.round((performance.now() - startedAt) * 10) / 10;
}
