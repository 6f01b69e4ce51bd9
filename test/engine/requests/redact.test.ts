import { describe, expect, it } from "vitest";
import {
  redactPolicy,
  redactRefresh,
  redactUrl,
  redactUrlsIn,
} from "../../../server/engine/requests/privacy/redact.ts";
import { oneLine } from "../../../server/base/syntax/text.ts";

describe("redactUrl", () => {
  it.each([
    ["https://example.com", "https://example.com/"],
    ["https://example.com/a?token=s3cret&x=1", "https://example.com/a?token=***&x=***"],
    ["https://example.com/?a=s3cret=s3cret;b=s3cret", "https://example.com/?a=***"],
    ["https://example.com/?s3cret", "https://example.com/?***"],
    ["https://example.com/?a&&b=", "https://example.com/?***&&b=***"],
    ["https://example.com/#s3cret", "https://example.com/"],
    ["https://user:s3cret@example.com:8443/", "https://example.com:8443/"],
    ["http:\\\\user:s3cret@example.com\\a", "http://example.com/a"],
    ["https://exam\nple.com/\u202ea", "https://example.com/%E2%80%AEa"],
    ["https://user:s3cret@exam ple/?q=s3cret#s3cret", "https://exam ple/?q=***"],
    ["//user:s3cret@example.com/a?b=s3cret", "//example.com/a?b=***"],
    ["ftp://user:s3cret@example.com/a", "ftp://example.com/a"],
    ["user:s3cret@example.com", "user:example.com"],
    [
      "https://example.com/a;jsessionid=s3cret/b;v=s3cret;c?d",
      "https://example.com/a;jsessionid=***/b;v=***;c?***",
    ],
    ["/a;jsessionid=s3cret", "/a;jsessionid=***"],
    ["/logo@2x.png?v=s3cret", "/logo@2x.png?v=***"],
    ["a\u0000\u202eb\ud800c", "abc"],
    ["", ""],
  ])("%j becomes %j", (url, expected) => {
    expect(redactUrl(url)).toBe(expected);
    expect(redactUrl(url)).not.toContain("s3cret");
  });

  it("takes a parsed URL", () => {
    expect(redactUrl(new URL("https://u:p@example.com/é?a=b#c"))).toBe(
      "https://example.com/%C3%A9?a=***",
    );
  });

  it("is cut to 1,024 characters", () => {
    expect(redactUrl(`https://example.com/${"a".repeat(5000)}`)).toHaveLength(1024);
    expect(redactUrl(`/${"a".repeat(50_000)}`)).toHaveLength(1024);
  });
});

describe("oneLine", () => {
  it.each([
    ["  a \r\n\t b  ", 20, "a b"],
    ["a\u0000\u001b[31mb\u007f\u009b", 20, "a[31mb"],
    ["\u202eabc\u2066\u200f", 20, "abc"],
    ["a\u2028b\u00a0c", 20, "a b c"],
    ["a\ud800b", 20, "ab"],
    ["abcdef", 6, "abcdef"],
    ["abcdefg", 6, "abcde…"],
    ["abcd😀fg", 6, "abcd…"],
    ["", 6, ""],
  ])("%j in %i characters is %j", (text, maxLength, expected) => {
    expect(oneLine(text, maxLength)).toBe(expected);
  });
});

it.each([
  ["see https://u:p@example.com/a?b=s3cret#c now", "see https://example.com/a?b=*** now"],
  ['<a href="/x?t=s3cret;u=s3cret">', '<a href="/x?t=***">'],
  [
    "at /a;sid=s3cret or https://a.b/;sid=s3cret text/html;q=1",
    "at /a;sid=*** or https://a.b/;sid=*** text/html;q=1",
  ],
  ["why? #fff and a@b.c", "why? #fff and a@b.c"],
  ["url=https://u:s3cret@example.com", "url=https://example.com"],
  [`${"-".repeat(80)} https://user:s3cret@example.com`, `${"-".repeat(80)} https://example.com`],
  [`https://user:${"s3cret".repeat(1000)}@example.com`, "https://…"],
])("redactUrlsIn(%j) is %j", (text, expected) => {
  expect(redactUrlsIn(text, 100)).toBe(expected);
});

it.each([
  ["script-src 'nonce-r4nd//m?' *", "script-src 'nonce-r4nd//m?' *"],
  [
    "img-src https://*.example.com; report-uri https://r.example/?key=s3cret,default-src 'self'",
    "img-src https://*.example.com; report-uri https://r.example/?key=***,default-src 'self'",
  ],
])("redactPolicy(%j) is %j", (policy, expected) => {
  expect(redactPolicy(policy, 8192)).toBe(expected);
});

it.each([
  ["5", "5"],
  ["0;url=https://example.com/?a=s3cret;b=s3cret", "0;url=https://example.com/?a=***"],
  ["0; URL='/next?a=s3cret' s3cret", "0; URL=/next?a=***"],
  ["3, /next#s3cret", "3, /next"],
])("redactRefresh(%j) is %j", (refresh, expected) => {
  expect(redactRefresh(refresh)).toBe(expected);
});
