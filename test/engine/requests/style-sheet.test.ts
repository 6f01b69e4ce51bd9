import { describe, expect, test } from "vitest";
import { readPageNames } from "../../../server/engine/requests/body/page-names.ts";
import { findUsedFaces, readStyleSheet } from "../../../server/engine/requests/body/style-sheet.ts";
import { Slice } from "../../../server/engine/net/slice.ts";

const PAGE = `<body class="home page"><h1 id="top">Tea</h1><i class='icon-cup'></i></body>`;

async function readFiles(css: string): Promise<string[]> {
  const names = await readPageNames(PAGE, new Slice());
  const sheet = await readStyleSheet(css, names, new Slice());
  const faces = sheet.faces.filter((face) => findUsedFaces([sheet]).has(face));
  return [...sheet.imports, ...faces, ...sheet.images].map(
    ({ address, line }) => `${address}:${line}`,
  );
}

const FACE = "@font-face{font-family:'Tea Icons';src:url(a.woff2)}";

describe("a style sheet loads", () => {
  test.each<[string, string[]]>([
    ["@import url('a.css');@import \"b.css\" screen;", ["a.css:1", "b.css:1"]],
    ["/* @import url(a.css) */\n@charset 'utf-8';\n@import url(b.css);", ["b.css:3"]],
    ['body{background:url(../a.png) no-repeat,\nurl("b.png")}', ["../a.png:1", "b.png:1"]],
    [".home #top{background-image:url( a.png )}", ["a.png:1"]],
    ["@media (min-width: 10px){h1{list-style:url(a.png)}}", ["a.png:1"]],
    [`${FACE}.icon-cup:before{font-family:tea icons}`, ["a.woff2:1"]],
    [`${FACE}[class^="icon-"]{font:1em/1 "Tea Icons"}`, ["a.woff2:1"]],
    [`${FACE}:root{--icons:"Tea Icons"}`, ["a.woff2:1"]],
    [
      "@font-face{font-family:x;src:url(a.eot);src:url(a.eot?#iefix) format('embedded-opentype'),url(a.woff) format('woff')}h1{font-family:x}",
      ["a.woff:1"],
    ],
    [
      "@font-face{font-family:x;font-weight:700;src:url(bold)}@font-face{font-family:x;src:url(usual)}h1{font-family:x}",
      ["usual:1"],
    ],
  ])("%s", async (css, files) => {
    expect(await readFiles(css)).toEqual(files);
  });
});

describe("a style sheet does not load", () => {
  test.each([
    "@import url(print.css) print;",
    "h1{color:red}@import url(late.css);",
    ".missing{background:url(a.png)}",
    "h1:hover{background:url(a.png)}",
    "h1{--x:url(a.png)}",
    "h1{background:url(a.png);background:none}",
    "h1{background:url(data:image/png;base64,AA{}==)}",
    "h1{filter:url(#a);behavior:url(a.htc)}",
    "@media print{h1{background:url(a.png)}}",
    "/* h1{background:url(a.png)} */",
    "h1{content:'url(a.png)'} .b{background:url(b.png)}",
    FACE,
    `${FACE}.missing{font-family:"Tea Icons"}`,
    "@font-face{font-family:x;src:url(a.woff2);unicode-range:U+0400-04FF}h1{font-family:x}",
  ])("%s", async (css) => {
    expect(await readFiles(css)).toEqual([]);
  });
});

test("an endless comment, string or block ends with the style sheet", async () => {
  for (const end of ["/*", "'", "url(", "{".repeat(1000), "\\"])
    expect(await readFiles(`h1{background:url(a.png)}${end}`)).toEqual(["a.png:1"]);
});
