const SPACE = 32;
const LAST_ASCII = 127;
/** Characters that show nothing: no-break space, soft hyphen, zero-width spaces and marks of direction. */
const UNSEEN = new Set([0xa0, 0xad, 0x200b, 0x200c, 0x200d, 0x200e, 0x200f, 0x2060, 0xfeff]);

/** A text's length in characters, with white space folded and trimmed, and whether white space was trimmed from its ends. */
interface Folded {
  length: number;
  isAfterSpace: boolean;
  isBeforeSpace: boolean;
}

export const FOLDED_SPACE: Folded = { length: 0, isAfterSpace: true, isBeforeSpace: true };

export function fold(text: string): Folded {
  let length = 0;
  let isAfterSpace = false;
  let isInSpace = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    const isSpace = code <= SPACE || (code > LAST_ASCII && UNSEEN.has(code));
    if (isSpace && length === 0) isAfterSpace = true;
    else if (!isSpace) length += isInSpace && length > 0 ? 2 : 1;
    isInSpace = isSpace;
  }
  return { length, isAfterSpace, isBeforeSpace: isInSpace };
}

/** Counts the characters of a text that arrives in pieces, with white space folded and trimmed. */
export class TextCounter {
  length = 0;
  #isInSpace = false;

  add({ length, isAfterSpace, isBeforeSpace }: Folded): void {
    if (length > 0) {
      if (this.length > 0 && (this.#isInSpace || isAfterSpace)) this.length += 1;
      this.length += length;
      this.#isInSpace = isBeforeSpace;
    } else if (isAfterSpace) this.#isInSpace = true;
  }
}
