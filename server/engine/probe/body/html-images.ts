import type { Html } from "../../evidence/html.ts";
import { hasAlternative } from "./html-attributes.ts";
import type { Tag } from "./html-tokens.ts";
import { redactUrl } from "../privacy/redact.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";

const MAX_IMAGES_WITHOUT_ALT = 5;

/** Counts images, and those without an alternative. */
export class Images {
  count = 0;
  #withoutAltCount = 0;
  readonly #withoutAlt: Html["imagesWithoutAlt"] = [];

  add(tag: Tag): void {
    this.count += 1;
    if (hasAlternative(tag)) return;
    this.#withoutAltCount += 1;
    if (this.#withoutAlt.length >= MAX_IMAGES_WITHOUT_ALT) return;
    const src = oneLine(redactUrl(tag.attributes.get("src") ?? ""), 200);
    this.#withoutAlt.push({ tag: src ? `<img src="${src}">` : "<img>", line: tag.line });
  }

  getFacts(): Pick<Html, "imageCount" | "imagesWithoutAltCount" | "imagesWithoutAlt"> {
    return {
      imageCount: this.count,
      imagesWithoutAltCount: this.#withoutAltCount,
      imagesWithoutAlt: this.#withoutAlt,
    };
  }
}
