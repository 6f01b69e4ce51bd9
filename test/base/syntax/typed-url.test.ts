import { expect, test } from "vitest";
import { completeUrl } from "../../../server/base/syntax/url.ts";

test.each([
  ["example.com", "https://example.com"],
  ["  example.com/a?b=c#d\n", "https://example.com/a?b=c#d"],
  ["http://example.com/", "https://example.com/"],
  ["HTTP://example.com/", "https://example.com/"],
  ["https://example.com/http://x", "https://example.com/http://x"],
  ["example.com:8443/x", "https://example.com:8443/x"],
  ["localhost:8443", "https://localhost:8443"],
  ["exämple.com", "https://exämple.com"],
  ["ftp://example.com/", "ftp://example.com/"],
  ["javascript:alert(1)", "https://javascript:alert(1)"],
  ["   ", ""],
])("%j is read as %j", (typed, url) => {
  expect(completeUrl(typed)).toBe(url);
});
