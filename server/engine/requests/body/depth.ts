/** Counts how deeply nested the page is in elements of some names; an end tag without a start tag is ignored. */
export class Depth {
  #open = 0;
  readonly #names: ReadonlySet<string>;

  constructor(names: ReadonlySet<string>) {
    this.#names = names;
  }

  get isInside(): boolean {
    return this.#open > 0;
  }

  enter(name: string): void {
    if (this.#names.has(name)) this.#open += 1;
  }

  leave(name: string): void {
    if (this.#names.has(name) && this.#open > 0) this.#open -= 1;
  }
}
