/** A signal that aborts with its parent, or by itself when the time is over; `clear` lets go of both. */
export interface Deadline {
  signal: AbortSignal;
  clear: () => void;
}

export function openDeadline(parent: AbortSignal, timeoutMs: number): Deadline {
  const controller = new AbortController();
  const abort = (): void => controller.abort(parent.reason);
  const timer = setTimeout(() => controller.abort(new Error("timed out")), timeoutMs);
  if (parent.aborted) abort();
  else parent.addEventListener("abort", abort, { once: true });
  return {
    signal: controller.signal,
    clear() {
      clearTimeout(timer);
      parent.removeEventListener("abort", abort);
    },
  };
}

/** Milliseconds since a `performance.now()`, to a tenth. */
export function elapsedMs(startedAt: number): number {
  return Math.round((performance.now() - startedAt) * 10) / 10;
}
