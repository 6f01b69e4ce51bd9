import type { Tag } from "./html-tokens.ts";

const ROOT_IDS = new Set(
  (
    "root app __next __nuxt ___gatsby app-root react-root react-app vue-app svelte svelte-app " +
    "q-app app-mount main-app ember-app elm-app spa root-app"
  ).split(" "),
);
const ROOT_TAGS = new Set(["div", "main", "section", "app-root"]);

/** Finds the root element that a client-side framework fills; it is empty if nothing was shown between its tags. */
export class EmptyRoot {
  emptyId: string | null = null;
  #id = "";
  #tag = "";
  #depth = 0;
  #filledBefore = 0;

  /** @param filled a count that grows with what the page has shown so far */
  enter(tag: Tag, filled: number): void {
    if (this.#depth > 0) {
      if (tag.name === this.#tag) this.#depth += 1;
      return;
    }
    const id = tag.name === "app-root" ? tag.name : (tag.attributes.get("id") ?? "");
    if (!ROOT_TAGS.has(tag.name) || !ROOT_IDS.has(id)) return;
    this.#id = id;
    this.#tag = tag.name;
    this.#depth = 1;
    this.#filledBefore = filled;
  }

  leave(name: string, filled: number): void {
    if (this.#depth === 0 || name !== this.#tag) return;
    this.#depth -= 1;
    if (this.#depth === 0 && filled === this.#filledBefore) this.emptyId ??= this.#id;
  }
}
