import * as fc from "fast-check";

/** What separates, quotes, hides or breaks: delimiters, controls, bidirectional marks, lone surrogates. */
const CHARACTERS = [
  ...` \t\n\r\f\0"'\\,;:=/?#%&@<>()[]{}*-_.!$+|~^\``.split(""),
  ..."\u0001\u007f\u0085\u00a0\u00ad\u00e9\u0130\u0131\u00df\u0301\u200b\u200d\u200e\u2028\u202e\u2066\ufb01\ufeff\ufffd".split(
    "",
  ),
  "\ud800",
  "\udc00",
  "😀",
  "\r\n",
];

const NUMBERS = ["0", "-0", "-1", "00", "1e9", "0x1", "NaN", "Infinity", "1.5", "31536000"];
const HUGE = ["9007199254740993", "9".repeat(40), "99999999999999999999999999999999999999.9"];

/** A stretch of one pattern over and over: what regular expressions with nested repeats take for ever on. */
export function repeated(piece: fc.Arbitrary<string>, maxLength: number): fc.Arbitrary<string> {
  return fc
    .tuple(piece, fc.array(piece, { minLength: 1, maxLength: 2 }), piece, fc.nat({ max: 3 }))
    .map(([start, pattern, end, halvings]) => {
      const unit = pattern.join("") || " ";
      const times = Math.floor(maxLength / 2 ** halvings / unit.length);
      return (start + unit.repeat(times)).slice(0, maxLength) + end;
    });
}

function pieceOf(words: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...words) },
    { weight: 5, arbitrary: fc.constantFrom(...CHARACTERS) },
    { weight: 1, arbitrary: fc.constantFrom(...NUMBERS, ...HUGE) },
    { weight: 1, arbitrary: fc.string({ maxLength: 8, unit: "binary" }) },
  );
}

/** Text of a grammar's own words among noise, at times one long repeat of them. */
export function textOf(
  words: readonly string[],
  { maxPieces = 12, maxLength = 8192 }: { maxPieces?: number; maxLength?: number } = {},
): fc.Arbitrary<string> {
  const piece = pieceOf(words);
  return fc.oneof(
    {
      weight: 40,
      arbitrary: fc.array(piece, { maxLength: maxPieces }).map((pieces) => pieces.join("")),
    },
    { weight: 1, arbitrary: repeated(piece, maxLength) },
  );
}

/** A text with stretches taken out, doubled, or replaced by words. */
export function mutationOf(
  texts: readonly string[],
  words: readonly string[],
): fc.Arbitrary<string> {
  const place = fc.double({ min: 0, max: 1, noNaN: true });
  const edit = fc.record({
    from: place,
    length: fc.oneof(fc.nat({ max: 12 }), fc.nat({ max: 2000 })),
    kind: fc.constantFrom("cut", "double", "write"),
    words: fc.array(pieceOf(words), { maxLength: 3 }),
  });
  return fc
    .tuple(fc.constantFrom(...texts), fc.array(edit, { maxLength: 8 }))
    .map(([text, edits]) =>
      edits.reduce((before, { from, length, kind, words: written }) => {
        const start = Math.floor(from * before.length);
        const stretch = before.slice(start, start + length);
        const instead = { cut: "", double: stretch + stretch, write: written.join("") }[kind] ?? "";
        return before.slice(0, start) + instead + before.slice(start + length);
      }, text),
    );
}
