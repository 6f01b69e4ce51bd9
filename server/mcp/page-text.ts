/** In UTF-16 code units. */
export const PAGE_TEXT_LENGTH = 300;

/**
 * White space, and all that shows nothing: control, format and bidirectional characters, tags, variation selectors,
 * fillers, the blank Braille cell, private and unassigned characters, lone surrogates.
 */
const UNSEEN = /[\s\u2800\p{C}\p{Default_Ignorable_Code_Point}]+/gu;
/** The characters between words or lines; U+FEFF counts as white space in JavaScript, and has no width. */
const SEPARATOR = /[^\S\uFEFF]|[\u2800\x1C-\x1F\x85]/u;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** No character below this one is part of the one before it. */
const FIRST_MARK = 0x300;

/** The start of the character that stands at `index`. Few texts need the segmenter, which takes 20 µs. */
function findStart(line: string, index: number): number {
  if (line.charCodeAt(index) < FIRST_MARK) return index;
  return graphemes.segment(line.slice(0, 2 * index)).containing(index)?.index ?? 0;
}

/** A line cut with … at `maxLength`, before a character that would be halved. */
export function cutLine(line: string, maxLength: number): string {
  if (line.length <= maxLength) return line;
  return `${line.slice(0, findStart(line, maxLength - 1)).trimEnd()}…`;
}

/** Text that may be a page's, as data: one line of what can be seen, cut at 300. */
export function pageText(text: string): string {
  const line = text.replace(UNSEEN, (run) => (SEPARATOR.test(run) ? " " : "")).trim();
  return cutLine(line, PAGE_TEXT_LENGTH);
}
