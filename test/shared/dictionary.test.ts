import { expect, test } from "vitest";
import { readDictionary, writeDictionary } from "../../shared/dictionary.ts";

test.each([
  [{}, ""],
  [{ used: 12, limit: 300 }, "used=12, limit=300"],
  [{ n: -1, yes: true, no: false }, "n=-1, yes=?1, no=?0"],
  [{ host: "10.0.0.7", empty: "" }, 'host="10.0.0.7", empty=""'],
  [{ text: 'a "b" \\ c, d=1' }, 'text="a \\"b\\" \\\\ c, d=1"'],
  [{ text: "Été 100 % « a »" }, 'text=%"%c3%89t%c3%a9 100 %25 %c2%ab a %c2%bb"'],
  [{ text: "a\nb…" }, 'text=%"a%0ab%e2%80%a6"'],
])("%j is written and read", (members, text) => {
  expect(writeDictionary(members)).toBe(text);
  expect(readDictionary(text)).toEqual(members);
});

test("half of a surrogate pair is written as the replacement character", () => {
  expect(writeDictionary({ text: "a\ud83d" })).toBe('text=%"a%ef%bf%bd"');
});

test.each([
  ["a=1,b=2", { a: 1, b: 2 }],
  ["a , b=?0", { a: true, b: false }],
  ["a=1, a=2", { a: 2 }],
])("%s can be read too", (text, members) => expect(readDictionary(text)).toEqual(members));

test.each([
  "a=1,",
  "a=1 b=2",
  "A=1",
  'a="',
  'a="é"',
  'a=%"%C3%89"',
  'a=%"%c3"',
  "a=1.5",
  "a=(1 2)",
  "=1",
])("%s is rejected", (text) => expect(readDictionary(text)).toBeUndefined());
