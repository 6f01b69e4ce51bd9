import type { References } from "./html-references.ts";
import { relationsOf } from "./html-resources.ts";
import { Depth } from "./depth.ts";
import type { Tag } from "./html-tokens.ts";

const MAX_TEXT_LENGTH = 300;
/** What makes a link send something other than GET once the page's scripts run (htmx, Turbo, rails-ujs, Unpoly). */
const SENDERS = ["post", "put", "patch", "delete"].flatMap((name) => [
  `hx-${name}`,
  `data-hx-${name}`,
]);
const METHODS = ["data-turbo-method", "data-method", "up-method"];

/** Whether a link may be requested: one that sends nothing and that its page vouches for. */
function isFollowed(tag: Tag): boolean {
  const { attributes } = tag;
  const isSender = SENDERS.some((name) => attributes.has(name));
  const isMethod = METHODS.some((name) => !/^(?:get)?$/i.test(attributes.get(name) ?? ""));
  return !isSender && !isMethod && !relationsOf(tag).includes("nofollow");
}

/** Passes links on with their text, which tells an address that a page shows from one that it forgot. */
export class Links {
  readonly #references: References;
  readonly #menus = new Depth(new Set(["nav", "header"]));
  #open: { readonly tag: Tag; readonly href: string; text: string } | null = null;

  constructor(references: References) {
    this.#references = references;
  }

  enter(tag: Tag): void {
    this.#menus.enter(tag.name);
    const href = tag.attributes.get("href");
    if (href === undefined || (tag.name !== "a" && tag.name !== "area")) return;
    this.leave("a");
    this.#open = { tag, href, text: "" };
    if (tag.name === "area") this.leave("a");
  }

  add(text: string): void {
    if (this.#open && this.#open.text.length < MAX_TEXT_LENGTH)
      this.#open.text += text.slice(0, MAX_TEXT_LENGTH);
  }

  leave(name: string): void {
    this.#menus.leave(name);
    if (name !== "a" || !this.#open) return;
    const { tag, href, text } = this.#open;
    this.#open = null;
    this.#references.addLink({
      href,
      line: tag.line,
      isTried: isFollowed(tag),
      isMenu: this.#menus.isInside,
      text: text.trim(),
    });
  }
}
