import { expect, test } from "vitest";
import { Slice } from "../../../server/engine/net/slice.ts";
import { findPlainUrls } from "../../../server/engine/requests/body/style-text.ts";

test.each([
  ["style", '@import "http://a.test/b.css";'],
  ["style", "@import url(http://a.test/b.css) screen;"],
  ["style", "@import url( 'http://a.test/b.css' );"],
  ["font", "@font-face{src:url(https://a.test/b.woff2),url(http://a.test/b.woff)}"],
  ["font", "@import url(http://fonts.googleapis.com/css?family=Tea);"],
  ["image", 'a{background:#fff url("http://a.test/b.png")}'],
  ["image", "a{background:URL(http://a.test/b)}"],
])("a %s over http: %s", async (kind, css) => {
  expect(await findPlainUrls(`b{}\n${css}`, new Slice())).toMatchObject([{ line: 2, kind }]);
});

test.each([
  "a{background:url(https://a.test/b.png)}",
  "a{background:url(/b.png)}",
  "@namespace url(http://www.w3.org/1999/xhtml);",
  "@-moz-document url(http://a.test/){a{}}",
  "/* url(http://a.test/b.png) */",
  "/* unclosed url(http://a.test/b.png)",
  `a{background:url("data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E")}`,
  "a{content:'http://a.test/'}",
])("nothing over http: %s", async (css) => {
  expect(await findPlainUrls(css, new Slice())).toEqual([]);
});
