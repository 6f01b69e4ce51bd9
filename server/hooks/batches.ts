interface Waiter<Item, Result> {
  readonly item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Does the same thing to several items, and returns the result of each. */
type BatchWork<Item, Result> = (items: readonly [Item, ...Item[]]) => Promise<readonly Result[]>;

/** Has an item done with others of its key, in the order in which they came. */
export type Batches<Item, Result> = (key: string, item: Item) => Promise<Result>;

/**
 * An item is begun at once, unless others of its key are being done: then it is done with all that come meanwhile, at
 * most `most` at a time. So however many come, they cost little more than one, and none is begun before it came.
 */
export function createBatches<Item, Result>(
  most: number,
  work: BatchWork<Item, Result>,
): Batches<Item, Result> {
  const gathered = new Map<string, Waiter<Item, Result>[]>();

  async function doTogether(waiters: readonly Waiter<Item, Result>[]): Promise<void> {
    const [first, ...others] = waiters.map(({ item }) => item);
    if (first === undefined) return;
    try {
      const results = await work([first, ...others]);
      for (const [index, result] of results.entries()) waiters[index]?.resolve(result);
    } catch (error) {
      for (const waiter of waiters) waiter.reject(error);
    }
  }

  async function doAll(key: string, waiters: Waiter<Item, Result>[]): Promise<void> {
    gathered.set(key, waiters);
    while (waiters.length > 0) await doTogether(waiters.splice(0, most));
    gathered.delete(key);
  }

  return (key, item) =>
    new Promise((resolve, reject) => {
      const waiter = { item, resolve, reject };
      const waiters = gathered.get(key);
      if (waiters === undefined) void doAll(key, [waiter]);
      else waiters.push(waiter);
    });
}
