import type { Slice } from "../../net/slice.ts";

const MAX_NAMES = 5000;
const MAX_PART_QUERIES = 200;
const TAG_OR_ATTRIBUTE =
  /<([a-z][a-z0-9-]{0,40})|\s(class|id)\s{0,3}=\s{0,3}(?:"([^"]{0,2000})"|'([^']{0,2000})'|([^\s>"']{1,200}))/gi;

/** The tags, classes and ids in a page, and in the markup that its scripts contain. */
export class PageNames {
  readonly #names = new Set<string>();
  #classes = "";
  #partQueries = 0;

  has(name: string): boolean {
    return this.#names.has(name);
  }

  hasClassWith(part: string): boolean {
    this.#partQueries += 1;
    return this.#partQueries <= MAX_PART_QUERIES && this.#classes.includes(part);
  }

  add(match: RegExpMatchArray): void {
    if (this.#names.size >= MAX_NAMES) return;
    const [, tag, attribute, double, single, raw = ""] = match;
    if (tag !== undefined) this.#names.add(tag.toLowerCase());
    const isClass = attribute?.toLowerCase() === "class";
    const values = attribute === undefined ? [] : (double ?? single ?? raw).split(/\s+/);
    for (const value of values) {
      const name = `${isClass ? "." : "#"}${value}`;
      if (this.#names.has(name)) continue;
      this.#names.add(name);
      if (isClass) this.#classes += ` ${value}`;
    }
  }
}

export async function readPageNames(text: string, slice: Slice): Promise<PageNames> {
  const names = new PageNames();
  for (const match of text.matchAll(TAG_OR_ATTRIBUTE)) {
    names.add(match);
    if (slice.isOver) await slice.end();
    if (slice.isLate) break;
  }
  return names;
}
