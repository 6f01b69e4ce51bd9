const SPACE = 32;
const NO_BREAK_SPACE = 160;

/** Counts the characters of a text that arrives in pieces, with white space folded and trimmed. */
export class TextCounter {
  length = 0;
  #isAfterSpace = false;

  add(text: string): void {
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      const isSpace = code <= SPACE || code === NO_BREAK_SPACE;
      if (!isSpace) this.length += this.#isAfterSpace && this.length > 0 ? 2 : 1;
      this.#isAfterSpace = isSpace;
    }
  }
}
