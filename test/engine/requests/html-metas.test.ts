import { expect, it } from "vitest";
import { findPragmaCharset } from "../../../server/engine/requests/body/html-head.ts";

it.each([
  ["text/html", undefined],
  ["text/html; charset=", undefined],
  ["text/html; charset", undefined],
  ["charset=utf-8", "utf-8"],
  ["text/html; charset=utf-8", "utf-8"],
  ["text/html, charset=utf-8", "utf-8"],
  ['text/html;version=1;CHARSET \t= "UTF-8" ; q=1', "UTF-8"],
])("findPragmaCharset(%j) is %j", (content, charset) => {
  expect(findPragmaCharset(content)).toBe(charset);
});
