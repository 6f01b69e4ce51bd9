import { setImmediate as nextTurn } from "node:timers/promises";

const MAX_SLICE_MS = 3;

/** How long one piece of work has held the event loop: what may take long looks at it and ends it in time. */
export class Slice {
  readonly #signal: AbortSignal | undefined;
  #startedAt = performance.now();

  /** @param signal of the check's deadline, at which what was read until then is all that is read */
  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  get isOver(): boolean {
    return performance.now() - this.#startedAt > MAX_SLICE_MS;
  }

  get isLate(): boolean {
    return this.#signal?.aborted ?? false;
  }

  /** Lets the process's other work have its turn, then begins anew. */
  async end(): Promise<void> {
    await nextTurn();
    this.#startedAt = performance.now();
  }
}
