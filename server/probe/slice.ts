import { setImmediate as nextTurn } from "node:timers/promises";

const MAX_SLICE_MS = 3;

/** How long one piece of work has held the event loop: what may take long looks at it and ends it in time. */
export class Slice {
  #startedAt = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#startedAt > MAX_SLICE_MS;
  }

  /** Lets the process's other work have its turn, then begins anew. */
  async end(): Promise<void> {
    await nextTurn();
    this.#startedAt = performance.now();
  }
}
