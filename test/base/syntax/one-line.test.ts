import { describe, expect, test } from "vitest";
import { oneLine } from "../../../server/base/syntax/text.ts";

const RTL = "\u202E";

describe("a text on one line", () => {
  test.each([
    ["white space is folded and trimmed", "  a \t\n b  ", 10, "a b"],
    ["control and bidirectional characters are left out", `a${RTL}b\0c`, 10, "abc"],
    ["cut at its length", "a b c d e", 5, "a b …"],
    ["a space at either end does not count", " a\nb\n ", 3, "a b"],
    ["a pair is not halved", "😀😀😀", 4, "😀…"],
    ["any length", ` ${"a ".repeat(1000)}`, Infinity, "a ".repeat(1000).trim()],
  ])("%s", (_, text, length, line) => {
    expect(oneLine(text, length)).toBe(line);
  });

  test("is the same, however much text follows", () => {
    for (const unit of [` a${RTL}`, "ab \t", `${RTL}\0 `, "\uD800x", "a\n\n"])
      for (const length of [1, 2, 5, 40])
        for (const before of ["", " ", "x", "xy "]) {
          const short = `${before}${unit.repeat(length + 3)}`;
          expect(oneLine(short + unit.repeat(50), length)).toBe(oneLine(short, length));
        }
  });
});
