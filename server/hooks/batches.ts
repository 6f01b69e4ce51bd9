interface QueuedItem<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Returns one result per item. */
type BatchWork<Item, Result> = (items: readonly [Item, ...Item[]]) => Promise<readonly Result[]>;

export type BatchQueue<Item, Result> = (key: string, item: Item) => Promise<Result>;

/**
 * Processes an item immediately, unless a batch of its key is running: then the item joins the next batch of up to `most` items. A burst
 * costs little more than one item. No item gets the result of work that started before it was queued.
 */
export function createBatchQueue<Item, Result>(
  most: number,
  work: BatchWork<Item, Result>,
): BatchQueue<Item, Result> {
  const queues = new Map<string, QueuedItem<Item, Result>[]>();

  async function runBatch(batch: readonly QueuedItem<Item, Result>[]): Promise<void> {
    const [first, ...others] = batch.map(({ item }) => item);
    if (first === undefined) return;
    try {
      const results = await work([first, ...others]);
      for (const [index, result] of results.entries()) batch[index]?.resolve(result);
    } catch (error) {
      for (const queued of batch) queued.reject(error);
    }
  }

  async function runQueue(key: string, queue: QueuedItem<Item, Result>[]): Promise<void> {
    queues.set(key, queue);
    while (queue.length > 0) await runBatch(queue.splice(0, most));
    queues.delete(key);
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      const queued = { item, resolve, reject };
      const queue = queues.get(key);
      if (queue === undefined) void runQueue(key, [queued]);
      else queue.push(queued);
    });
}
