import type { Html } from "../../evidence/html.ts";
import { Enclosure } from "./enclosure.ts";
import { hasAlternative, isUnheard } from "./html-attributes.ts";
import type { Tag } from "./html-tokens.ts";
import { redactUrl } from "../privacy/redact.ts";
import { oneLine } from "../../../base/syntax/one-line.ts";

const MAX_IMAGES_WITHOUT_ALT = 5;

/** Counts images, and those without an alternative. */
export class Images {
  count = 0;
  /** An element that assistive technology leaves out, with what is in it. */
  readonly #unheard = new Enclosure();
  #withoutAltCount = 0;
  readonly #withoutAlt: Html["imagesWithoutAlt"] = [];

  enter(tag: Tag, isSeen: boolean): void {
    if (tag.name !== "img") this.#unheard.enter(tag.name, isUnheard(tag));
    else if (isSeen) this.#add(tag);
  }

  leave(name: string): void {
    this.#unheard.leave(name);
  }

  #add(tag: Tag): void {
    this.count += 1;
    if (this.#unheard.isInside || hasAlternative(tag)) return;
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
