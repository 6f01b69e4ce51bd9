import type { CardImage } from "../../evidence/card-image.ts";
import { findUrl, MAX_URL_LENGTH } from "../../../base/syntax/url.ts";

const METAS = new Map<string, CardImage["meta"]>([
  ["og:image", "og:image"],
  ["og:image:url", "og:image"],
  ["twitter:image", "twitter:image"],
  ["twitter:image:src", "twitter:image"],
]);

/** An image that a meta of the page names for its sharing card. */
export interface CardImageCandidate {
  url: URL;
  meta: CardImage["meta"];
}

/** Takes the first address that each kind of meta gives, where it is absolute and https. */
export class CardImages {
  readonly #found: CardImageCandidate[] = [];

  add(name: string, content: string): void {
    const meta = METAS.get(name);
    if (!meta || this.#found.some((one) => one.meta === meta)) return;
    const url = /^\s*https:/i.test(content) && findUrl(content.trim().slice(0, MAX_URL_LENGTH));
    if (url) this.#found.push({ url, meta });
  }

  /** Each address once. */
  get found(): CardImageCandidate[] {
    const [first, ...others] = this.#found;
    return first ? [first, ...others.filter(({ url }) => url.href !== first.url.href)] : [];
  }
}
