import { expect, test } from "vitest";
import { readAttestation } from "../../server/access/webauthn.ts";
import { GateEdit } from "../../server/projects/gates.ts";
import { PreviewEdit } from "../../server/projects/previews.ts";
import { readFields } from "../../server/web/kit/forms.ts";

test.each([
  ["short", { url: "https://example.com/é?a=b&c=d", note: "" }],
  ["with a long text of escapes", { urls: "é😀\r\n".repeat(20_000), after: "1" }],
  ["with a long text of letters", { urls: "x".repeat(100_000) }],
])("the fields of a form are read as typed: %s", async (_, typed: Record<string, string>) => {
  expect(await readFields(new URLSearchParams(typed).toString())).toEqual(typed);
});

test.each([
  ["a=1&b=2&a=3", { b: "2" }],
  ["a&&=1&b=c=d&%61b=+%2B", { a: "", "": "1", b: "c=d", ab: " +" }],
  ["", {}],
])("%s", async (text, fields) => {
  expect(await readFields(text)).toEqual(fields);
});

test("characters that are not escapes are not cut either", async () => {
  const urls = "😀%zz%".repeat(10_000);
  expect(await readFields(`urls=${urls}`)).toEqual({ urls });
});

test("other work gets its turn while a long form is read", async () => {
  const order: string[] = [];
  const reading = readFields(`urls=${"%0A".repeat(1_000_000)}`).then(() => order.push("read"));
  setImmediate(() => order.push("other work"));
  await reading;
  expect(order).toEqual(["other work", "read"]);
});

const attestationOf = (attestationObject: string) => {
  const response = { clientDataJSON: "e30", attestationObject };
  return JSON.stringify({ id: "AA", rawId: "AA", type: "public-key", response });
};

test.each<[what: string, read: (size: number) => unknown, honest: number, long: number]>([
  [
    "the rules of a gate",
    (size) => GateEdit.safeParse({ require: "hdr.csp,".repeat(size) + "hdr.csp" }).data,
    59,
    10_000,
  ],
  [
    "the categories of a gate",
    (size) => GateEdit.safeParse({ minCategory: "tls=1,".repeat(size) + "tls=1" }).data,
    59,
    10_000,
  ],
  [
    "the headers of previews",
    (size) => PreviewEdit.safeParse({ hosts: "a.example.com", headers: "\n".repeat(size) }).data,
    10_000,
    100_000,
  ],
  ["a passkey", (size) => readAttestation(attestationOf("A".repeat(size))), 8000, 100_000],
])("%s: read up to a generous length, and not beyond", (_, read, honest, long) => {
  expect(read(honest)).toBeDefined();
  expect(read(long)).toBeUndefined();
});
