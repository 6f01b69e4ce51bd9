/**
 * Uses its own timer, because Node 20 garbage-collects an AbortSignal.timeout() to which only AbortSignal.any() refers, so
 * that it never fires.
 * @throws TimeLimitError when the limit is over
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
