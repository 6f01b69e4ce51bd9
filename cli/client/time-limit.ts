/**
 * Does work that is given up after `limitMs`, or when `signal` aborts; its own signal's reason tells which. A timer of
 * ours, since Node 20 collects AbortSignal.timeout() where nothing but AbortSignal.any() holds it, and it never fires.
 */
export async function withTimeLimit<T>(
  signal: AbortSignal,
  limitMs: number,
  work: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = () => controller.abort(signal.reason);
  const timer = setTimeout(() => controller.abort(new TimeLimitError()), limitMs);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await work(controller.signal);
  } catch (error) {
    throw controller.signal.reason instanceof TimeLimitError ? controller.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

export class TimeLimitError extends Error {}
