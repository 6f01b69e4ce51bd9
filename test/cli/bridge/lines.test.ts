import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { type Line, readLines } from "../../../cli/bridge/messages.ts";

const read = (...chunks: (string | Buffer)[]): Promise<Line[]> =>
  Readable.from(readLines(Readable.from(chunks.map((chunk) => Buffer.from(chunk))))).toArray();

test.each<[stream: string, lines: string[]]>([
  ["", []],
  ["\n", [""]],
  ["1\n2\n", ["1", "2"]],
  ["1\n2", ["1", "2"]],
  ["1\r\n\n2\n", ["1\r", "", "2"]],
  ['"é € 🚢"\n', ['"é € 🚢"']],
  ["\ufeff1\n", ["1"]],
])("%j, cut anywhere", async (stream, lines) => {
  const bytes = Buffer.from(stream);
  for (let at = 0; at <= bytes.length; at++) {
    const texts = (await read(bytes.subarray(0, at), bytes.subarray(at))).map(({ text }) => text);
    expect(texts).toEqual(lines);
  }
});

test("a line of more than 10 MB is skipped except for its size, and the next one is read", async () => {
  const part = Buffer.alloc(1_000_000, "x");
  const parts = Array.from({ length: 12 }, () => part);
  expect(await read(...parts, "\n1\n")).toEqual([
    { sizeBytes: 12_000_000, text: null },
    { sizeBytes: 1, text: "1" },
  ]);
});
