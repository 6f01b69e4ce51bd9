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
    return !this.#hasRoom(this.#maxItems);
  }

  offer(make: () => T, isUrgent = false): void {
    if (!this.#hasRoom(isUrgent ? this.#maxUrgentItems : this.#maxItems)) return;
    const item = make();
    this.#roomBytes -= Buffer.byteLength(JSON.stringify(item)) + 1;
    if (this.#roomBytes >= 0) this.items.push(item);
  }

  #hasRoom(maxItems: number): boolean {
    return this.items.length < maxItems && this.#roomBytes > 0;
  }
}
