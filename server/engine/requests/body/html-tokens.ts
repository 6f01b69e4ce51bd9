import { Tokenizer, type TokenizerCallbacks } from "htmlparser2";
import type { Slice } from "../../net/slice.ts";

/** An opening tag, its name lower-cased, with only the attributes that were asked for; the first of a name counts. */
export interface Tag {
  name: string;
  attributes: ReadonlyMap<string, string>;
  line: number;
  /** Whether it is `svg` or `math`, or inside one. */
  isForeign: boolean;
  /** The offsets of its name and of its `>` in the text. */
  start: number;
  end: number;
}

export interface TokenHandler {
  onOpen(tag: Tag): void;
  onClose(name: string): void;
  /** Text outside `svg` and `math`, with its offset; a character reference has none. */
  onText(text: string, start: number, end: number): void;
  onComment(start: number, end: number): void;
  /** `text`: what is between `<!` and `>`. */
  onDoctype(text: string): void;
}

/** Which attributes to read, by tag name; those of other tags are skipped. */
export type WantedAttributes = ReadonlyMap<string, ReadonlySet<string>>;

const LONGEST_NAME = 20;
const PIECE_LENGTH = 2048;
/** Approximate limit of what is read of an attribute. */
const MAX_VALUE_LENGTH = 65_536;
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();
const FOREIGN = new Set(["svg", "math"]);

/** Elements that a parser moves out of `svg` and `math`, so that an unclosed one does not swallow the page. */
const BREAKS_OUT = new Set(
  "body br div dl h1 h2 h3 h4 h5 h6 head hr img li meta nav ol p pre span table ul".split(" "),
);

/**
 * Reads HTML in one pass of htmlparser2's tokenizer. Its parser keeps a stack of open elements, on which a hostile
 * page of 1.5 MB takes minutes; counters are enough here.
 */
export async function readTokens(
  text: string,
  wanted: WantedAttributes,
  handler: TokenHandler,
  slice: Slice,
): Promise<void> {
  let name = "";
  let wantedHere: ReadonlySet<string> | undefined;
  let attributes = new Map<string, string>();
  let attribute = "";
  let value = "";
  let foreignDepth = 0;
  let line = 1;
  let tagLine = 1;
  let tagStart = 0;
  let counted = 0;

  function lineAt(index: number): number {
    for (; counted < index; counted++) if (text.charCodeAt(counted) === 10) line += 1;
    return line;
  }

  function open(end: number): void {
    if (FOREIGN.has(name)) foreignDepth += 1;
    else if (foreignDepth > 0 && BREAKS_OUT.has(name)) foreignDepth = 0;
    const read = wantedHere ? attributes : NO_ATTRIBUTES;
    const isForeign = foreignDepth > 0;
    handler.onOpen({ name, attributes: read, line: tagLine, isForeign, start: tagStart, end });
  }

  function close(closed: string): void {
    if (FOREIGN.has(closed) && foreignDepth > 0) foreignDepth -= 1;
    handler.onClose(closed);
  }

  function passText(passed: string, start = 0, end = 0): void {
    if (foreignDepth === 0) handler.onText(passed, start, end);
  }

  const callbacks: TokenizerCallbacks = {
    onopentagname(start, end) {
      name = text.slice(start, end).toLowerCase();
      wantedHere = wanted.get(name);
      tagLine = lineAt(start);
      tagStart = start;
      if (wantedHere) attributes = new Map();
    },
    onattribname(start, end) {
      const isRead = wantedHere !== undefined && end - start <= LONGEST_NAME;
      const found = isRead ? text.slice(start, end).toLowerCase() : "";
      attribute = wantedHere?.has(found) && !attributes.has(found) ? found : "";
      value = "";
    },
    onattribdata(start, end) {
      if (attribute && value.length < MAX_VALUE_LENGTH) value += text.slice(start, end);
    },
    onattribentity(codePoint) {
      if (attribute && value.length < MAX_VALUE_LENGTH) value += String.fromCodePoint(codePoint);
    },
    onattribend() {
      if (attribute) attributes.set(attribute, value);
    },
    onopentagend: open,
    onselfclosingtag(end) {
      open(end);
      if (foreignDepth > 0) close(name);
    },
    onclosetag: (start, end) => close(text.slice(start, end).toLowerCase()),
    ontext: (start, end) => passText(text.slice(start, end), start, end),
    ontextentity: (codePoint) => passText(String.fromCodePoint(codePoint)),
    oncdata() {},
    ondeclaration: (start, end) => handler.onDoctype(text.slice(start, end)),
    isInForeignContext: () => foreignDepth > 0,
    oncomment: (start, end) => handler.onComment(start, end),
    onprocessinginstruction() {},
    onend() {},
  };

  const tokenizer = new Tokenizer({}, callbacks);
  for (let position = 0; position < text.length; position += PIECE_LENGTH) {
    tokenizer.write(text.slice(position, position + PIECE_LENGTH));
    if (slice.isOver) await slice.end();
    if (slice.isLate) break;
  }
  tokenizer.end();
}
