import { Enclosure } from "./enclosure.ts";
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
  readonly #root = new Enclosure();
  #id = "";
  #filledBefore = 0;

  /** @param filled a count that grows with what the page has shown so far */
  enter(tag: Tag, filled: number): void {
    const id = tag.name === "app-root" ? tag.name : (tag.attributes.get("id") ?? "");
    if (!this.#root.enter(tag.name, ROOT_TAGS.has(tag.name) && ROOT_IDS.has(id))) return;
    this.#id = id;
    this.#filledBefore = filled;
  }

  leave(name: string, filled: number): void {
    if (this.#root.leave(name) && filled === this.#filledBefore) this.emptyId ??= this.#id;
  }
}
