import { describe, expect, it } from "vitest";
import { extractMediaType } from "../../../server/base/syntax/media-type.ts";

const HTML = "text/html";

/** The first are those of Fetch, 2.2.2, and of MIME Sniffing, 4.4. */
describe("extractMediaType", () => {
  it.each([
    ["", null],
    ["text", null],
    ["text/", null],
    ["/html", null],
    ["text html", null],
    ["te xt/html", null],
    ["text/ht ml", null],
    ["*/*", null],
    ["*/*, */*;charset=gbk", null],
  ])("finds none in %j", (contentType, none) => {
    expect(extractMediaType(contentType)).toBe(none);
  });

  it.each([
    ["text/plain;charset=gbk, text/html", HTML, null],
    ["text/html;charset=gbk;a=b, text/html;x=y", HTML, "gbk"],
    ["text/html;charset=gbk;a=b, text/html;x=y, text/html;charset=utf-8", HTML, "utf-8"],
    ["text/html;charset=gbk, x/x, text/html;x=y", HTML, null],
    ["text/html, cannot-parse", HTML, null],
    ["text/html, */*", HTML, null],
    ["text/html, ", HTML, null],
    ["text/html, text/html", HTML, null],
    ["text/html; charset=utf-8, text/html; charset=utf-8", HTML, "utf-8"],
    ["text/css, text/css", "text/css", null],
    ['text/html;charset="gbk, utf-8"', HTML, "gbk, utf-8"],
    ['text/html;", text/plain', HTML, null],
    ["  Text/HTML \t; charset=UTF-8 \r\n", HTML, "utf-8"],
    ["text/html;charset=", HTML, null],
    ['text/html;charset=""', HTML, ""],
    ["text/html;charset;charset=gbk", HTML, "gbk"],
    ["text/html;charset=gbk;charset=utf-8", HTML, "gbk"],
    ["text/html;charset =gbk", HTML, null],
    ["text/html;charset= gbk", HTML, " gbk"],
    ['text/html;charset= "gbk"', HTML, ' "gbk"'],
    ["text/html;charset='gbk'", HTML, "'gbk'"],
    ['text/html;charset="gbk', HTML, "gbk"],
    ['text/html;charset="\\g\\bk"', HTML, "gbk"],
    ['text/html;charset="gbk\\', HTML, "gbk\\"],
    ['text/html;charset="gbk"x;a=b', HTML, "gbk"],
    ["text/html;charset=\u20ac;charset=gbk", HTML, "gbk"],
    [";charset=gbk, text/html", HTML, null],
    ['text/html;charset="gbk", text/css', "text/css", null],
    ['text/html;a="b,c";charset=gbk', HTML, "gbk"],
  ])("reads %j as %s, charset %j", (contentType, essence, charset) => {
    expect(extractMediaType(contentType)).toEqual({ essence, charset });
  });
});
