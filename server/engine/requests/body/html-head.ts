import { BoundedList } from "../../evidence/bounded-list.ts";
import type { Html } from "../../evidence/html.ts";
import type { CardImages, References } from "./html-references.ts";
import type { Tag } from "./html-tokens.ts";
import { redactPolicy, redactRefresh, redactUrl, redactUrlsIn } from "../privacy/redact.ts";
import { oneLine } from "../../../base/syntax/text.ts";
import { relationsOf } from "./html-resources.ts";
import { Depth } from "./nesting.ts";

const MAX_LABEL_LENGTH = 40;
const MAX_CONTENT_LENGTH = 1000;
const MAX_RAW_LENGTH = 10_000;
const MAX_POLICY_LENGTH = 8192;

const METAS = new Set(
  "description generator viewport robots googlebot bingbot referrer og:title og:description og:image og:image:url og:url twitter:image twitter:image:src".split(
    " ",
  ),
);
const HTTP_EQUIVS = new Set(["content-security-policy", "refresh"]);

function readName(tag: Tag, attribute: string): string {
  return (tag.attributes.get(attribute) ?? "").trim().toLowerCase();
}

/** Browsers ignore a pragma with white space around its name (HTML, 4.2.5.3). */
function readPragma(tag: Tag): string {
  return (tag.attributes.get("http-equiv") ?? "").toLowerCase();
}

/** Browsers know these only by the name attribute, without white space around the name. */
const OF_BROWSERS = new Set(["viewport", "referrer"]);

export function namesOf(tag: Tag): Set<string> {
  const exactName = (tag.attributes.get("name") ?? "").toLowerCase();
  const names = [readName(tag, "name"), readName(tag, "property")].filter(
    (name) => METAS.has(name) && (name === exactName || !OF_BROWSERS.has(name)),
  );
  const pragma = readPragma(tag);
  return new Set(HTTP_EQUIVS.has(pragma) ? [...names, pragma] : names);
}

export class Metas {
  readonly #cardImages: CardImages;
  readonly #kept = new BoundedList<Html["metas"][number]>(16_384, 60);
  #charset: Html["charset"] = null;

  constructor(cardImages: CardImages) {
    this.#cardImages = cardImages;
  }

  enter(tag: Tag, isInHead: boolean): void {
    const label = findDeclaredCharset(tag);
    if (label !== undefined) this.#charset ??= { label, offset: tag.end };
    for (const name of namesOf(tag)) {
      this.#cardImages.add(name, tag.attributes.get("content") ?? "");
      this.#kept.offer(() => describeMeta(name, tag, isInHead));
    }
  }

  getFacts(): Pick<Html, "charset" | "metas"> {
    return { charset: this.#charset, metas: this.#kept.items };
  }
}

function describeMeta(name: string, tag: Tag, isInHead: boolean): Html["metas"][number] {
  return { name, content: keepContent(name, tag), line: tag.line, isInHead, offset: tag.end };
}

function keepContent(name: string, tag: Tag): string {
  const content = tag.attributes.get("content") ?? "";
  if (name === "content-security-policy") return redactPolicy(content, MAX_POLICY_LENGTH);
  const start = content.slice(0, MAX_RAW_LENGTH);
  if (name === "refresh") return redactRefresh(start);
  if (/:image\b/.test(name) || name === "og:url") return redactUrl(start.trim());
  const kept = redactUrlsIn(start, MAX_CONTENT_LENGTH);
  // Browsers ignore a referrer policy with white space around it (HTML, 4.2.5.1).
  return name === "referrer" && /^\s|\s$/.test(content) ? ` ${kept} ` : kept;
}

/** See HTML, "extracting a character encoding from a meta element". */
export function findPragmaCharset(content: string): string | undefined {
  return /charset\s*=\s*["']?([^\s;"']+)/i.exec(content)?.[1];
}

function findDeclaredCharset(tag: Tag): string | undefined {
  const isContentType = readPragma(tag) === "content-type";
  const content = isContentType ? tag.attributes.get("content") : undefined;
  const label = tag.attributes.get("charset") ?? findPragmaCharset(content ?? "");
  return label === undefined ? undefined : oneLine(label.slice(0, 200), MAX_LABEL_LENGTH);
}

const MAX_TEXT_LENGTH = 300;
/** With these, a link sends something other than GET once the page's scripts run (htmx, Turbo, rails-ujs, Unpoly). */
const SENDERS = ["post", "put", "patch", "delete"].flatMap((name) => [
  `hx-${name}`,
  `data-hx-${name}`,
]);
const METHODS = ["data-turbo-method", "data-method", "up-method"];

/** `nofollow`: the page does not vouch for the target. */
function isFollowed(tag: Tag): boolean {
  const { attributes } = tag;
  const isSender = SENDERS.some((name) => attributes.has(name));
  const isMethod = METHODS.some((name) => !/^(?:get)?$/i.test(attributes.get(name) ?? ""));
  return !isSender && !isMethod && !relationsOf(tag).includes("nofollow");
}

/** The text of a link shows whether its address is an example or a leftover. */
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
      mayBeRequested: isFollowed(tag),
      isMenu: this.#menus.isInside,
      text: text.trim(),
    });
  }
}

const MAX_TITLE_LENGTH = 300;
const MAX_RAW_TITLE_LENGTH = 4096;

export class Titles {
  #text = "";
  #count = 0;

  enter(): void {
    this.#count += 1;
  }

  add(text: string): void {
    if (this.#count === 1 && this.#text.length < MAX_RAW_TITLE_LENGTH)
      this.#text += text.slice(0, MAX_RAW_TITLE_LENGTH);
  }

  getFacts(): Pick<Html, "title" | "titleCount"> {
    const title = this.#count > 0 ? redactUrlsIn(this.#text, MAX_TITLE_LENGTH) : null;
    return { titleCount: this.#count, title };
  }
}
