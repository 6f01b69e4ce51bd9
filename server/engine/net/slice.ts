import { setImmediate as nextTurn } from "node:timers/promises";

const MAX_SLICE_MS = 3;

/** Measures how long a piece of work has blocked the event loop, so that long work can yield in time. */
export class Slice {
  readonly #signal: AbortSignal | undefined;
  #startedAt = performance.now();

  /** @param signal aborts at the check's deadline, at which reading ends */
  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  get isOver(): boolean {
    return performance.now() - this.#startedAt > MAX_SLICE_MS;
  }

  get isLate(): boolean {
    return this.#signal?.aborted ?? false;
  }

  /** Yields to the event loop, then starts measuring again. */
  async end(): Promise<void> {
    await nextTurn();
    this.#startedAt = performance.now();
  }
}
