/** Work that runs in the background or outlives its request; the process waits for it before it ends. */
export interface Work {
  add<Result>(work: Promise<Result>): Promise<Result>;
  /** Resolves when nothing is running any more. */
  end(): Promise<void>;
}

export function createWork(): Work {
  const running = new Set<Promise<unknown>>();
  return {
    add(work) {
      running.add(work);
      const remove = () => void running.delete(work);
      work.then(remove, remove);
      return work;
    },
    async end() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}
