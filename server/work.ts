/** What runs for nobody that waits for an answer, or whom it outlives: the end of the process waits for it. */
export interface Work {
  add<Result>(work: Promise<Result>): Promise<Result>;
  /** Resolves when nothing runs any more. */
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
