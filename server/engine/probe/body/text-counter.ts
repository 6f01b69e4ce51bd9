const SPACE = 32;
const LAST_ASCII = 127;
/** Characters that show nothing: no-break space, soft hyphen, zero-width spaces and marks of direction. */
const UNSEEN = new Set([0xa0, 0xad, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2060, 0xfeff]);

/** Counts the characters of a text that arrives in pieces, with white space folded and trimmed. */
export class TextCounter {
  length = 0;
  #isAfterSpace = false;

  add(text: string): void {
    for (let index = 0; index < text.length; index++) {
      const code = text.charCodeAt(index);
      const isSpace = code <= SPACE || (code > LAST_ASCII && UNSEEN.has(code));
      if (!isSpace) this.length += this.#isAfterSpace && this.length > 0 ? 2 : 1;
      this.#isAfterSpace = isSpace;
    }
  }
}
