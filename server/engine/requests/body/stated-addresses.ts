import { BoundedList } from "../../evidence/bounded-list.ts";
import type { Html, StatedAddress } from "../../evidence/html.ts";
import { findUrl } from "../../../base/syntax/url.ts";
import type { References } from "./html-references.ts";
import { isJsonLd, relationsOf } from "./html-resources.ts";
import type { Tag } from "./html-tokens.ts";
import { redactUrl } from "../privacy/redact.ts";

const MAX_SCRIPT_LENGTH = 65_536;
const MAX_ALL_LENGTH = 262_144;
const MAX_NODES = 2000;
const NAMES_A_PAGE = new Set(["@id", "url", "mainEntityOfPage"]);

interface Node {
  readonly value: unknown;
  readonly isTop: boolean;
}

/** Nodes at the top or in the graph describe the page itself. */
function listAddresses(json: unknown): { url: string; by: StatedAddress["by"] }[] {
  const found: { url: string; by: StatedAddress["by"] }[] = [];
  const open: Node[] = [{ value: json, isTop: true }];
  for (let count = 0; open.length > 0 && count < MAX_NODES; count++) {
    const { value, isTop } = open.pop() ?? { value: null, isTop: false };
    if (typeof value !== "object" || value === null) continue;
    for (const [key, item] of Object.entries(value).slice(0, MAX_NODES)) {
      if (typeof item === "string" && NAMES_A_PAGE.has(key))
        found.push({ url: item, by: isTop ? "json_ld" : "json_ld_part" });
      else if (typeof item === "object")
        open.push({ value: item, isTop: isTop && (Array.isArray(value) || key === "@graph") });
    }
  }
  return found;
}

/** Some templates put comment or CDATA marks around a script. */
function unwrap(text: string): string {
  const json = text.trim().replace(/^(?:\/\/ ?)?(?:<!--|<!\[CDATA\[)/, "");
  return json.replace(/(?:\/\/ ?)?(?:-->|\]\]>)$/, "");
}

export class StatedAddresses {
  readonly #page: string;
  readonly #references: References;
  readonly #canonicals = new BoundedList<Html["canonicals"][number]>(4096, 10);
  readonly #stated = new BoundedList<StatedAddress>(8192, 60);
  readonly #known = new Set<string>();
  #badJsonLdLine: number | null = null;
  #open: { readonly line: number; start: number; end: number } | null = null;
  #roomLength = MAX_ALL_LENGTH;

  constructor(page: string, references: References) {
    this.#page = page;
    this.#references = references;
  }

  enter(tag: Tag): void {
    const { line, attributes } = tag;
    if (tag.name === "script" && isJsonLd(tag)) this.#open = { line, start: -1, end: -1 };
    const href = attributes.get("href");
    if (tag.name !== "link" || href === undefined) return;
    const relations = relationsOf(tag);
    if (relations.includes("canonical"))
      this.#canonicals.offer(() => ({ url: redactUrl(href.trim()), line }));
    if (relations.includes("alternate") && attributes.has("hreflang"))
      this.#state(href, line, "hreflang");
  }

  addText(start: number, end: number): void {
    if (!this.#open) return;
    if (this.#open.start < 0) this.#open.start = start;
    this.#open.end = end;
  }

  leave(): void {
    if (this.#open) this.#readJsonLd(this.#open);
    this.#open = null;
  }

  getFacts(): Pick<Html, "canonicals" | "stated" | "badJsonLdLine"> {
    return {
      canonicals: this.#canonicals.items,
      stated: this.#stated.items,
      badJsonLdLine: this.#badJsonLdLine,
    };
  }

  #readJsonLd({ line, start, end }: { line: number; start: number; end: number }): void {
    if (end - start > Math.min(MAX_SCRIPT_LENGTH, this.#roomLength)) return;
    this.#roomLength -= end - start;
    const json = unwrap(this.#page.slice(start, end));
    if (start === end || json.trim() === "") return;
    try {
      for (const { url, by } of listAddresses(JSON.parse(json))) this.#state(url, line, by);
    } catch {
      this.#badJsonLdLine ??= line;
    }
  }

  #state(address: string, line: number, by: StatedAddress["by"]): void {
    if (this.#stated.isFull) return;
    const url = this.#references.locate(address);
    const key = `${by} ${findUrl(url)?.origin}`;
    if (this.#known.has(key)) return;
    this.#known.add(key);
    this.#stated.offer(() => ({ url, line, by }));
  }
}
