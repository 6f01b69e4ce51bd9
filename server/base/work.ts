/** The process waits for this work before it exits. */
export interface Work {
  add<Result>(work: Promise<Result>): Promise<Result>;
  /** Resolves when no work is running. */
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
