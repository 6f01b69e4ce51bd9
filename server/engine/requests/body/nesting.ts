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

export class Enclosure {
  #name = "";
  #open = 0;

  get isInside(): boolean {
    return this.#open > 0;
  }

  enter(name: string, isMeant: boolean): boolean {
    if (this.#open > 0) {
      if (name === this.#name) this.#open += 1;
      return false;
    }
    if (!isMeant) return false;
    this.#name = name;
    this.#open = 1;
    return true;
  }

  leave(name: string): boolean {
    if (this.#open === 0 || name !== this.#name) return false;
    this.#open -= 1;
    return this.#open === 0;
  }
}
