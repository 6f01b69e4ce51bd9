/** In UTF-16 code units. */
export const PAGE_TEXT_LENGTH = 300;

/**
 * White space, and all that shows nothing: control, format and bidirectional characters, tags, variation selectors,
 * fillers, the blank Braille cell, private and unassigned characters, lone surrogates.
 */
const UNSEEN = /[\s\u2800\p{C}\p{Default_Ignorable_Code_Point}]+/gu;
/** What stands between words or lines; U+FEFF counts as white space in JavaScript, and has no width. */
const SEPARATOR = /[^\S\uFEFF]|[\u2800\x1C-\x1F\x85]/u;

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Text that may be a page's, as data: one line of what can be seen, cut with … at `maxLength` without halving a character. */
export function pageText(text: string, maxLength = PAGE_TEXT_LENGTH): string {
  const line = text.replace(UNSEEN, (run) => (SEPARATOR.test(run) ? " " : "")).trim();
  if (line.length <= maxLength) return line;
  const cut = graphemes.segment(line.slice(0, 2 * maxLength)).containing(maxLength - 1)?.index;
  return `${line.slice(0, cut).trimEnd()}…`;
}
