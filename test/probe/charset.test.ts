import { expect, it } from "vitest";
import { findCharset } from "../../server/probe/charset.ts";

it.each([
  ["text/html", undefined],
  ["charset=utf-8", undefined],
  ["text/html; charset=", undefined],
  ["text/html; charset=utf-8", "utf-8"],
  ['text/html;version=1;CHARSET = "UTF-8" ; q=1', "UTF-8"],
])("findCharset(%j) is %j", (contentType, charset) => {
  expect(findCharset(contentType)).toBe(charset);
});
