import type { Html } from "../../evidence/html.ts";
import { isScript } from "./html-resources.ts";
import type { Tag } from "./html-tokens.ts";

const MAX_FILES = 50;
/** Limit for all origins together. */
const MAX_ORIGINS_LENGTH = 4096;

/** The address of a script's file; undefined for an inline script. In `svg` it has another attribute. */
function fileOf({ attributes, isForeign }: Tag): string | undefined {
  const linked = attributes.get("href") ?? attributes.get("xlink:href");
  return isForeign ? linked : attributes.get("src");
}

/** The facts that tell whether a policy lets the page's scripts run. */
export class ScriptFacts {
  count = 0;
  readonly #originOf: (file: string) => string;
  readonly #files = new Set<string>();
  readonly #origins = new Set<string>();
  #inlineCount = 0;
  #nonceCount = 0;
  #integrityCount = 0;
  #firstOffset: number | null = null;

  /** @param originOf gives the origin of an address written in the page */
  constructor(originOf: (file: string) => string) {
    this.#originOf = originOf;
  }

  add(tag: Tag): void {
    if (!isScript(tag)) return;
    this.count += 1;
    this.#firstOffset ??= tag.end;
    if (tag.attributes.get("nonce")) this.#nonceCount += 1;
    if (tag.attributes.get("integrity")) this.#integrityCount += 1;
    const file = fileOf(tag);
    if (file === undefined) this.#inlineCount += 1;
    else if (!this.#files.has(file) && this.#files.size <= MAX_FILES) {
      this.#files.add(file);
      this.#origins.add(this.#originOf(file));
    }
  }

  getFacts(): Html["scripts"] {
    const origins = [...this.#origins];
    const isAll = this.#files.size <= MAX_FILES && origins.join("").length <= MAX_ORIGINS_LENGTH;
    return {
      inlineCount: this.#inlineCount,
      nonceCount: this.#nonceCount,
      integrityCount: this.#integrityCount,
      firstOffset: this.#firstOffset,
      origins: isAll ? origins : null,
    };
  }
}
