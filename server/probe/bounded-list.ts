/** A list that ends at a number of items and of bytes as JSON. Urgent items may go on to a number of their own. */
export class BoundedList<T> {
  readonly items: T[] = [];
  readonly #maxItems: number;
  readonly #maxUrgentItems: number;
  #roomBytes: number;

  constructor(maxBytes: number, maxItems: number, maxUrgentItems = maxItems) {
    this.#roomBytes = maxBytes;
    this.#maxItems = maxItems;
    this.#maxUrgentItems = maxUrgentItems;
  }

  get isFull(): boolean {
    return this.items.length >= this.#maxItems;
  }

  /** Adds the item if there is room for it; without room `make` is not called. */
  offer(make: () => T, isUrgent = false): void {
    if (isUrgent ? this.items.length >= this.#maxUrgentItems : this.isFull) return;
    const item = make();
    const bytes = Buffer.byteLength(JSON.stringify(item)) + 1;
    if (bytes > this.#roomBytes) return;
    this.#roomBytes -= bytes;
    this.items.push(item);
  }
}
