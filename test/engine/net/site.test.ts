import { expect, test } from "vitest";
import type { RefusalCode } from "../../../server/engine/evidence/exchange.ts";
import { readSite } from "../../../server/engine/net/site.ts";

/** Code points: C0, DEL, C1, bidirectional controls, and spaces with and without width. */
const FORBIDDEN = [
  0x00, 0x09, 0x0a, 0x0d, 0x1f, 0x7f, 0x80, 0x85, 0x9f, 0xa0, 0x1680, 0x2003, 0x200b, 0x200e,
  0x2028, 0x2029, 0x202e, 0x202f, 0x205f, 0x2060, 0x2066, 0x3000, 0xfeff,
];

const SYNTAX: [string, RefusalCode | null][] = [
  ["", "unparseable"],
  ["example.com", "unparseable"],
  ["//example.com/", "unparseable"],
  ["https://", "unparseable"],
  ["https://./", "unparseable"],
  ["https://example.com../", "unparseable"],
  ["https://a..example.com/", "unparseable"],
  ["https://.example.com/", "unparseable"],
  [`https://${"a".repeat(64)}.com/`, "unparseable"],
  [`https://${"a.".repeat(125)}abcd/`, "unparseable"],
  ["https://1.2.3.4../", "unparseable"],
  ["https://[::1%25eth0]/", "unparseable"],
  ["https://[::1%eth0]/", "unparseable"],
  ["https://a,b.example.com/", "unparseable"],
  ["https://*.example.com/", "unparseable"],
  ["https://example.com:65536/", "unparseable"],
  ["http://example.com/", "not_https"],
  ["wss://example.com/", "not_https"],
  ["mailto:me@example.com", "not_https"],
  ["https://@example.com/", "userinfo"],
  ["https://:@example.com/", "userinfo"],
  ["https://user:pass@example.com/", "userinfo"],
  ["https:user@example.com/", "userinfo"],
  ["https:////user@example.com/", "userinfo"],
  ["https://example.com\\@127.0.0.1/", "characters"],
  ["https:\\\\example.com/", "characters"],
  [" https://example.com/", "characters"],
  ["https://example.com/ ", "characters"],
  ["https://example.com/a b", "characters"],
  ...FORBIDDEN.map(forbid),
  [`https://example.com/${"a".repeat(2_029)}`, "too_long"],
  [`https://example.com/${"a".repeat(2_028)}`, null],
  ["HTTPS://example.com", null],
  ["https:example.com", null],
  [`https://${"a".repeat(63)}.com/`, null],
  [`https://${"a.".repeat(125)}abc./`, null],
  ["https://example.com/@user?a=@#@", null],
  ["https://example.com?@", null],
  ["https://foo_bar.example.com/", null],
  ["https://-a-.example.com/", null],
  ["https://example.com:6379/", null],
  ["https://localhost/", null],
];

function forbid(codePoint: number): [string, RefusalCode] {
  return [`https://example.com/${String.fromCodePoint(codePoint)}`, "characters"];
}

function checkSyntax(raw: string) {
  const site = readSite(raw, "https:");
  return typeof site === "string" ? site : null;
}

test.each(SYNTAX)("checkSyntax(%j) is %s", (raw, expected) => {
  expect(checkSyntax(raw)).toBe(expected);
});
