import type { Spans } from "./finder.ts";

/** The replacement of a character; the second one is used where the first would leave the whole value unchanged. */
const FILLS: readonly (readonly [kind: RegExp, usual: string, other: string])[] = [
  [/\p{N}/u, "0", "1"],
  [/[a-f]/, "a", "b"],
  [/[A-F]/, "A", "B"],
  [/\p{Lu}/u, "X", "Z"],
  [/\p{L}/u, "x", "z"],
];
/** Without user information, which is no part of it. */
const ORIGIN = /[a-z]:\/\/(?![^/?#\s"'<>;,@]*@)[^/?#\s"'<>;,]*/gi;

function fill(value: string, which: 1 | 2): string {
  return value.replace(/[\p{L}\p{N}]/gu, (character) => {
    const kind = FILLS.find(([one]) => one.test(character));
    return (kind?.[which] ?? "x").repeat(character.length);
  });
}

function maskValue(value: string): string {
  const masked = fill(value, 1);
  return masked === value ? fill(value, 2) : masked;
}

/**
 * The text with the letters and digits of the spans replaced by others of their kind, except in an origin. Length and
 * separators stay, and hexadecimal and base64 stay such: that is all a rule reads in a value whose words mean nothing.
 */
export function maskText(text: string, spans: Spans): string {
  let position = 0;
  const pieces: string[] = [];
  for (const [start, end] of spans) {
    pieces.push(text.slice(position, start), maskValue(text.slice(start, end)));
    position = end;
  }
  const masked = pieces.join("") + text.slice(position);
  return masked.replace(ORIGIN, (origin, at: number) => text.slice(at, at + origin.length));
}
