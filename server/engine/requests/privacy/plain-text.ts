/** A text as people read it: without escapes, in lower case, white space folded, a plus read as a space. */
export interface PlainText {
  readonly text: string;
  /** The offsets of each character and of the end in the original text; null if decoding changed no length. */
  readonly starts: readonly number[] | null;
}

const ESCAPE =
  /%(?:[c-f][0-9a-f](?:%[89ab][0-9a-f]){1,3}|[0-9a-f]{2})|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|amp|lt|gt|quot|apos);|\\(?:u[0-9a-f]{4}|x[0-9a-f]{2}|["'\\/])/gi;
/** How often an escape may itself be escaped. */
const MAX_LAYERS = 4;
/** Most texts have only printable ASCII characters and single spaces, and nothing that begins an escape. */
const UNUSUAL = /[^ -~]| {2}|[%&\\+]/;
const SPACE = /[\s+]/;
const INVISIBLE = /[\p{Cc}\p{Bidi_Control}]/u;
const ENTITIES: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** An octet that is not UTF-8 is read as a Latin-1 character. */
function decodePercent(escape: string): string {
  try {
    return decodeURIComponent(escape);
  } catch {
    return Buffer.from(escape.replaceAll("%", ""), "hex").toString("latin1");
  }
}

function decodeEntity(name: string): string {
  if (!name.startsWith("#")) return ENTITIES[name.toLowerCase()] ?? "";
  const code = Number(name.replace(/^#x/i, "0x").replace("#", ""));
  return code > 0x10_ffff ? "" : String.fromCodePoint(code);
}

function decodeEscape(escape: string): string {
  if (escape.startsWith("%")) return decodePercent(escape);
  if (escape.startsWith("&")) return decodeEntity(escape.slice(1, -1));
  return escape.length === 2
    ? escape.slice(1)
    : String.fromCharCode(Number.parseInt(escape.slice(2), 16));
}

/** Returns the same object if there is no escape. */
function unescape(plain: PlainText): PlainText {
  const { text, starts } = plain;
  let [position, unescaped] = [0, ""];
  const begins: number[] = [];
  const add = (piece: string, step: 0 | 1): void => {
    unescaped += piece;
    for (let unit = 0; unit < piece.length; unit++) {
      const at = position + step * unit;
      begins.push(starts?.[at] ?? at);
    }
  };
  for (const { 0: escape, index } of text.matchAll(ESCAPE)) {
    add(text.slice(position, index), 1);
    position = index;
    add(decodeEscape(escape), 0);
    position += escape.length;
  }
  if (position === 0) return plain;
  add(text.slice(position), 1);
  begins.push(starts?.[text.length] ?? text.length);
  return { text: unescaped, starts: begins };
}

/** Drops characters that are not shown, as the texts of the evidence do. */
function fold({ text, starts }: PlainText): PlainText {
  let folded = "";
  const begins: number[] = [];
  for (let index = 0; index < text.length; index++) {
    const unit = text[index] ?? "";
    const isSpace = SPACE.test(unit);
    if (isSpace ? folded.endsWith(" ") : INVISIBLE.test(unit)) continue;
    const lower = unit.toLowerCase();
    folded += isSpace ? " " : lower.length === 1 ? lower : unit;
    begins.push(starts?.[index] ?? index);
  }
  begins.push(starts?.[text.length] ?? text.length);
  return { text: folded, starts: begins };
}

export function readPlainly(text: string): PlainText {
  if (!UNUSUAL.test(text)) return { text: text.toLowerCase(), starts: null };
  let plain: PlainText = { text, starts: null };
  for (let layer = 0; layer < MAX_LAYERS; layer++) {
    const inner = unescape(plain);
    if (inner === plain) break;
    plain = inner;
  }
  return fold(plain);
}

/**
 * Linear in the text and the longest value: the regular expression engine merges common beginnings of sorted values.
 */
export function createSearch(
  values: Iterable<string>,
): (text: string) => (readonly [start: number, value: string])[] {
  const sorted = [...new Set(values)].toSorted().toReversed();
  if (sorted.length === 0) return () => [];
  const escaped = sorted.map((value) => value.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`));
  const places = new RegExp(`(?=(${escaped.join("|")}))`, "g");
  return (text) => Array.from(text.matchAll(places), ({ index, 1: value = "" }) => [index, value]);
}
