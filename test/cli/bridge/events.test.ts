import { Readable } from "node:stream";
import { expect, test } from "vitest";
import { readEvents } from "../../../cli/bridge/messages.ts";

const read = (...chunks: (string | Buffer)[]): Promise<string[]> =>
  Readable.from(readEvents(Readable.from(chunks.map((chunk) => Buffer.from(chunk))))).toArray();

test.each<[what: string, stream: string, events: string[]]>([
  ["an event that is cut off", "data: 1\n\ndata: 2", ["1"]],
  ["an event that is cut off after its line", "data: 1\n\ndata: 2\n", ["1"]],
  ["a comment", ": keep-alive\n\n: again\n\n", []],
  ["an event of another type", "event: ping\ndata: 1\n\n", []],
  ["an id and a time to come back after", "id: 7\nretry: 100\n\n", []],
  ["a field without a value", "data\n\n", [""]],
  ["nothing at all", "", []],
  ["an event", "data: 1\n\n", ["1"]],
  ["one that names its type", "event: message\nid: 1\ndata: 1\n\n", ["1"]],
  ["one after one of another type", "event: ping\ndata: 0\n\ndata: 1\n\n", ["1"]],
  ["no space after the colon", "data:1\n\n", ["1"]],
  ["two spaces after it", "data:  1\n\n", [" 1"]],
  ["several lines", "data: {\ndata: }\n\n", ["{\n}"]],
  ["CRLF", "data: {\r\ndata: }\r\n\r\n", ["{\n}"]],
  ["CR", "data: {\rdata: }\r\r", ["{\n}"]],
  ["all of them", ": c\r\ndata: 1\r\r\ndata: 2\n\r\ndata: 3\r\n\n", ["1", "2", "3"]],
  ["a byte order mark", "\ufeffdata: 1\n\n", ["1"]],
])("%s, in one piece and cut at every byte", async (_, stream, events) => {
  const bytes = Buffer.from(stream);
  expect(await read(stream)).toEqual(events);
  expect(await read(...[...bytes].map((byte) => Buffer.of(byte)))).toEqual(events);
  for (let at = 0; at <= bytes.length; at++)
    expect(await read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(events);
});

test("a character cut in two is read whole", async () => {
  const bytes = Buffer.from('data: "é € 🚢"\n\n');
  for (let at = 0; at <= bytes.length; at++)
    expect(await read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(['"é € 🚢"']);
});

test.each([
  ["in one line", Array.from({ length: 90 }, () => "x".repeat(100_000))],
  ["in many", Array.from({ length: 90 }, () => `data: ${"x".repeat(100_000)}\n`)],
])("an event of more than 8 MB is rejected, %s", async (_, chunks) => {
  await expect(read("data: ", ...chunks, "\n\n")).rejects.toThrow("an event is too long");
});

test("an event of 5 MB is read, in pieces of any size", async () => {
  const pieces = Array.from({ length: 5000 }, () => "x".repeat(1000));
  const [event] = await read("data: ", ...pieces, "\n\n");
  expect(event).toHaveLength(5_000_000);
});
