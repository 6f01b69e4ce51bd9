import type { Html } from "../../evidence/html.ts";
import { redactUrlsIn } from "../privacy/redact.ts";

const MAX_LENGTH = 300;
const MAX_RAW_LENGTH = 4096;

/** The first title of a page, and how many there are. */
export class Titles {
  #text = "";
  #count = 0;

  enter(): void {
    this.#count += 1;
  }

  add(text: string): void {
    if (this.#count === 1 && this.#text.length < MAX_RAW_LENGTH)
      this.#text += text.slice(0, MAX_RAW_LENGTH);
  }

  getFacts(): Pick<Html, "title" | "titleCount"> {
    const title = this.#count > 0 ? redactUrlsIn(this.#text, MAX_LENGTH) : null;
    return { titleCount: this.#count, title };
  }
}
