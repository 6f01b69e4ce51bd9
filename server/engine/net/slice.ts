import { setImmediate as nextTurn } from "node:timers/promises";

const MAX_SLICE_MS = 3;

/** Long work yields to the event loop each time its slice of time is over. */
export class Slice {
  readonly #signal: AbortSignal | undefined;
  #startedAt = performance.now();

  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  get isOver(): boolean {
    return performance.now() - this.#startedAt > MAX_SLICE_MS;
  }

  get isLate(): boolean {
    return this.#signal?.aborted ?? false;
  }

  async end(): Promise<void> {
    await nextTurn();
    this.#startedAt = performance.now();
  }
}
