import { describe, expect, it } from "vitest";
import { readHtml, type HtmlReading } from "../../../server/engine/requests/body/html.ts";
import { References } from "../../../server/engine/requests/body/html-references.ts";

function read(page: string): Promise<HtmlReading> {
  return readHtml(page, new References(new URL("https://example.com/"), () => "public"));
}

describe("the visible text", () => {
  it.each([
    ["", ""],
    ["<title>Tea</title><style>p{}</style><script>x</script><!-- y -->", ""],
    ["<template><p>x</p></template><noscript>y</noscript>", ""],
    ["<h1>Tea</h1><p>by the\n\n leaf<br>since&nbsp;1970", "Tea\nby the leaf\nsince 1970"],
    [
      "<p>see https://a.example/?token=s3cret for more",
      "see https://a.example/?token=*** for more",
    ],
  ])("of %j begins %j", async (page, text) => {
    expect((await read(page)).html.text).toBe(text);
  });

  it("keeps its lines and their indentation, by which a trace is recognized", async () => {
    const { own } = await read("<pre>Error: x<br> &nbsp; &nbsp;at y\n\tat z</pre>");
    expect(own.shown).toBe("\nError: x\n    at y\n at z\n");
  });

  it("is limited, but its length is not", async () => {
    const { html, own } = await read(`<p>${"word ".repeat(100_000)}`);
    expect([html.text?.length, own.shown.length]).toEqual([1000, 20_000]);
    expect(html.textLength).toBe(499_999);
  });

  it.each([
    ["<div hidden><p>Soon</p></div>", 0],
    ["<div hidden><div>So</div>on</div>Tea", 3],
    ["<section hidden='hidden'>Soon</section><div>Tea</div>", 3],
    ["<dialog>Soon</dialog>Tea", 3],
    ["<dialog open>Soon</dialog>", 4],
    ["<div hidden=until-found>Soon</div>", 4],
    ["<div hidden>Soon", 4],
    ["<div style='color: red; Display : none'><p>Soon</p></div>", 0],
    ["<div style='display: none!important'>Soon</div>", 0],
    ["<div style='visibility:hidden'><p>Soon</p></div>", 0],
    ["&nbsp;&#8203;\u00ad \u200e&nbsp;", 0],
    ["<div style='--display: none; display: block'>Soon</div>", 4],
    ["<body style='display: none'>Soon<script>show()</script></body>", 4],
    ["</div><div>Soon</div>", 4],
    ["<template><div hidden></template>Soon", 4],
  ])("%j has %i characters that are not hidden", async (page, length) => {
    const { html, own } = await read(page);
    expect([html.textLength, own.textLength]).toEqual([length, length]);
  });

  it.each([
    ["<h1>Tea</h1><nav>Home</nav><header>Shop</header><footer>2026</footer>", 0],
    ["<a>a link</a><button>Go</button><label>Name</label><select><option>x</select>", 0],
    ["<p>By the leaf</p>", 11],
    ["<p><a name=top>Unclosed<p>By the leaf", 11],
    ["</nav></nav><p>By the leaf", 11],
    ["<p>By<p>the leaf", 11],
  ])("%j has %i characters of prose", async (page, length) => {
    expect((await read(page)).html.proseLength).toBe(length);
  });

  it.each([
    ["<p>no", [], 0],
    ["<h1>Tea <b>by</b><br>the leaf</h1>", ["Tea by the leaf"], 1],
    ["<h1></h1><h2>Green</h2>", ["Green"], 2],
    ["<nav><h2>Menu</h2></nav><h1>Tea</h1><footer><h3>More</h3></footer>", ["Tea"], 1],
    ["<h2>a</h2><h2>b</h2><h2>c</h2><h2>d</h2>", ["a", "b", "c"], 4],
  ])("%j has the headings %j", async (page, headings, headingCount) => {
    expect((await read(page)).html).toMatchObject({ headings, headingCount });
  });
});

describe("a page's own markup", () => {
  const quoted = '<div id="sfwdt">';

  it.each([
    `<!-- ${quoted} -->`,
    `<template>${quoted}</template>`,
    `<textarea>${quoted}</textarea>`,
    `<xmp>${quoted}</xmp>`,
    `<iframe>${quoted}</iframe>`,
    `<style>${quoted}</style>`,
    `<script>html = '${quoted}'</script>`,
    `<script type="application/json">"${quoted}"</script>`,
  ])("does not include what %j contains", async (page) => {
    const { own } = await read(`<p>${page}</p>`);
    expect(own.markup).not.toContain("sfwdt");
    expect(own.markup).toHaveLength(page.length + 7);
  });

  it.each([
    ["<script>run()</script>", "run()"],
    ['<script type="module">run()</script>', "run()"],
    ['<script type="application/json">{}</script>', ""],
    ["<template><script>run()</script></template>", ""],
    ["<noscript><script>run()</script></noscript>", ""],
    ["<pre>&lt;script>run()</pre>", ""],
  ])("%j runs the code %j", async (page, code) => {
    const { own } = await read(page);
    expect(own.code.trim()).toBe(code);
    if (code) expect(own.code.indexOf(code)).toBe(page.indexOf(code));
  });

  it("keeps the position of each part on the page", async () => {
    const page = `<!-- a --><p>${quoted}<script>run()</script><b>`;
    const { own } = await read(page);
    expect(own.markup.indexOf(quoted)).toBe(page.indexOf(quoted));
    expect(own.markup.indexOf("<b>")).toBe(page.indexOf("<b>"));
  });
});
