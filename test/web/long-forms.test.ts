import { expect, test } from "vitest";
import { readFields } from "../../server/web/kit/forms.ts";

test.each([
  ["short", { url: "https://example.com/é?a=b&c=d", note: "" }],
  ["with a long text of escapes", { urls: "é😀\r\n".repeat(20_000), after: "1" }],
  ["with a long text of letters", { urls: "x".repeat(100_000) }],
])("the fields of a form are what was typed: %s", async (_, typed: Record<string, string>) => {
  expect(await readFields(new URLSearchParams(typed).toString())).toEqual(typed);
});

test.each([
  ["a=1&b=2&a=3", { b: "2" }],
  ["a&&=1&b=c=d&%61b=+%2B", { a: "", "": "1", b: "c=d", ab: " +" }],
  ["", {}],
])("%s", async (text, fields) => {
  expect(await readFields(text)).toEqual(fields);
});

test("characters that are no escapes are not cut either", async () => {
  const urls = "😀%zz%".repeat(10_000);
  expect(await readFields(`urls=${urls}`)).toEqual({ urls });
});

test("other work has its turn while a long form is read", async () => {
  const order: string[] = [];
  const reading = readFields(`urls=${"%0A".repeat(1_000_000)}`).then(() => order.push("read"));
  setImmediate(() => order.push("other work"));
  await reading;
  expect(order).toEqual(["other work", "read"]);
});
