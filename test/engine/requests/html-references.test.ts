import { describe, expect, it } from "vitest";
import type { Html } from "../../../server/engine/evidence/html.ts";
import { readHtml } from "../../../server/engine/requests/body/html.ts";
import { References } from "../../../server/engine/requests/body/html-references.ts";

const PAGE = new URL("https://example.com/shop/page?x=1");

async function read(text: string): Promise<{ html: Html; assets: string[]; links: string[] }> {
  const references = new References(PAGE, (url) =>
    String(url).includes("localhost") ? "private" : "public",
  );
  return {
    html: (await readHtml(text, references)).html,
    assets: references.assetCandidates.map(({ url }) => url.href),
    links: references.linkCandidates.map(({ url }) => url.href),
  };
}

async function facts(text: string): Promise<Html> {
  return (await read(text)).html;
}

describe("resources", () => {
  it.each([
    "https://%CDN_HOST%/app.js",
    "//%PUBLIC_URL%/app.js",
    "https://cdn example.net/app.js",
    "https://cdn.example.net:99999/app.js",
    "https://cdn.example.net:port/app.js",
    "https:///",
    "//",
    "http://[",
    "https://<%= cdn %>/app.js",
    "https://a%zz.example/app.js",
    "https://[object Object]/app.js",
    `https://${"a".repeat(64)}.${"b.".repeat(120)}example/app.js`,
  ])("%s has no hostClass", async (address) => {
    const { resources } = await facts(`<script src="${address}"></script>`);
    expect(resources).toMatchObject([{ kind: "script", hostClass: "invalid" }]);
  });

  it.each([
    ['{"integrity": {"/a.js": "sha384-x", "b.js": "sha384-y"}}', "sha384-x"],
    ['{"integrity": {"/b.js": "sha384-y"}}', ""],
    ['{"integrity": {"/a.js": 1}}', ""],
    ["{", ""],
    ["[".repeat(60_000), ""],
  ])("have the integrity of the import map %.40s", async (map, integrity) => {
    const text = `<script type="importmap">${map}</script><script type="module" src="/a.js"></script>`;
    expect((await facts(text)).resources).toMatchObject([{ kind: "module", integrity }]);
  });

  it.each([
    ["<script src=http://cdn.example.net/a.js></script>", "script"],
    ["<link rel=stylesheet href=http://cdn.example.net/a.css>", "style"],
    ["<p><img src=HTTP://cdn.example.net/a.png>", "image"],
    ["<iframe src=http://cdn.example.net/a></iframe>", "frame"],
    ["<style>p { background: url(http://cdn.example.net/a.png) }</style>", "image"],
    ["<div style='background: url(http://cdn.example.net/a.png)'>", "image"],
  ])("of a document in an attribute count if they are plain: %s", async (document, kind) => {
    const srcdoc = document.replaceAll("<", "&lt;").replaceAll('"', "&quot;");
    const { html, assets } = await read(`<p>Tea</p>\n<iframe srcdoc="${srcdoc}"></iframe>`);
    expect(html.resources).toMatchObject([{ kind, line: 2, blocking: false }]);
    expect(html).toMatchObject({ blockingCount: 0, scriptCount: 0 });
    expect(assets).toEqual([]);
  });

  it.each([
    ["import a from 'http://cdn.example.net/a.js';", 1],
    ['\n  import "http://cdn.example.net/a.js"', 1],
    ['import {\n  a,\n} from "http://cdn.example.net/a.js"', 1],
    ['import a from "https://cdn.example.net/a.js"', 0],
    ['// import a from "http://cdn.example.net/a.js"', 0],
    ["const sample = 'import a from \"http://cdn.example.net/a.js\"'", 0],
  ])("of a module over http: %j", async (script, count) => {
    const { resources } = await facts(`<script type="module">${script}</script>`);
    expect(resources.filter(({ kind }) => kind === "module")).toHaveLength(count);
  });

  it.each([
    '<iframe srcdoc="<script src=https://cdn.example.net/a.js></script><img src=/a.png>"></iframe>',
    '<iframe srcdoc="<a href=http://example.net/>Tea</a><pre>&amp;lt;img src=http://a.example/b></pre>"></iframe>',
    '<iframe srcdoc="<template><img src=http://a.example/b></template><noscript><img src=http://a.example/b></noscript>"></iframe>',
    '<iframe srcdoc="<p>Tea" src="http://example.net/"></iframe>',
    '<template><iframe srcdoc="<img src=http://a.example/b>"></iframe></template>',
  ])("%s has none", async (text) => {
    expect((await facts(text)).resources).toEqual([]);
  });

  it.each([
    ["<script>1</script>"],
    ['<script src=""></script>'],
    ['<script type="application/json" src="/a"></script>'],
    ['<link rel="preconnect" href="https://a.b">'],
    ['<link rel="alternate" href="/feed">'],
    ['<img src="data:image/png;base64,AAAA">'],
    ['<iframe src="about:blank"></iframe>'],
    ['<input type="text" src="/a">'],
    ['<template><img src="/a"></template>'],
    ['<noscript><img src="/a"></noscript>'],
    ['<!-- <img src="/a"> -->'],
    ['<link rel="stylesheet" type="text/less" href="/a">'],
    ['<script type="importmap" src="/a"></script>'],
    ['<script type="speculationrules" src="/a"></script>'],
    ['<img src="blob:https://example.com/1">'],
    ["<script>document.write('<img src=/a>')</script>"],
    ['<img data-src="/a">'],
  ])("%s is not one", async (text) => {
    expect(await facts(text)).toMatchObject({ resources: [] });
  });

  it.each([
    ["script", "script", '<script src="/a">'],
    ["script", "script", '<script type="text/javascript" src="/a">'],
    ["script", "module", '<script type="module" src="/a">'],
    ["script", "other", '<script nomodule src="/a">'],
    ["link", "other", '<link rel="modulepreload" href="/a">'],
    ["link", "other", '<link rel="preload" as="script" href="/a">'],
    ["link", "other", '<link rel="preload" as="style" href="/a">'],
    ["link", "other", '<link rel="alternate stylesheet" href="/a">'],
    ["link", "style", '<link rel="stylesheet" media="print" onload="this.media=1" href="/a">'],
    ["link", "style", '<link rel="preload" as="style" onload="this.rel=1" href="/a">'],
    ["link", "other", '<link rel="stylesheet" media="print" href="/a">'],
    ["link", "style", '<link rel="StyleSheet" href="/a">'],
    ["link", "style", '<link rel="stylesheet" type="Text/CSS; charset=utf-8" href="/a">'],
    ["link", "icon", '<link rel="shortcut icon" href="/a">'],
    ["link", "icon", '<link rel="apple-touch-icon-precomposed" href="/a">'],
    ["link", "manifest", '<link rel="manifest" href="/a">'],
    ["link", "font", '<link rel="preload" as="font" href="/a">'],
    ["link", "other", '<link rel="preload" as="fetch" href="/a">'],
    ["img", "image", '<img src="/a">'],
    ["source", "image", '<source srcset="/a 2x">'],
    ["source", "media", '<source src="/a">'],
    ["video", "image", '<video poster="/a">'],
    ["track", "other", '<track src="/a">'],
    ["input", "image", '<input type="IMAGE" src="/a">'],
    ["object", "other", '<object data="/a">'],
    ["iframe", "frame", '<iframe src="/a">'],
    ["image", "image", '<svg><image xlink:href="/a"/></svg>'],
  ])("a %s makes a %s of %s", async (tag, kind, text) => {
    const [resource] = (await facts(`<p>${text}`)).resources;
    expect(resource).toMatchObject({
      url: "https://example.com/a",
      line: 1,
      tag,
      kind,
      hostClass: "public",
      blocking: false,
    });
  });

  it.each([
    ["<script src=a async>", 0],
    ["<script src=a defer>", 0],
    ["<script src=a type=module>", 0],
    ["<script src=a nomodule>", 0],
    ["</body><script src=a>", 0],
    ["<body><link rel=stylesheet href=a>", 0],
    ["<p>a</p><script src=a>", 0],
    ["bonjour<script src=a>", 0],
    ["<link rel=stylesheet href=a media=print>", 0],
    ['<link rel="alternate stylesheet" href=a>', 0],
    ["<link rel=stylesheet href=a disabled>", 0],
    ["<link rel=preload as=style href=a>", 0],
    ["<script src=a>", 1],
    ["</head><script src=a>", 1],
    ["<link rel=stylesheet href=a>", 1],
    ["<link rel=stylesheet href=a media=screen><link rel=stylesheet href=a>", 1],
    ["<link rel=preload as=style href=a><link rel=stylesheet href=a>", 1],
    ["<title>a</title><script>1</script>\n<script src=a></script><script src=b></script>", 2],
  ])("in head, %s delays with %i", async (text, blockingCount) => {
    expect((await facts(`<html><head>${text}`)).blockingCount).toBe(blockingCount);
  });

  it("reads srcset, and samples what browsers may load", async () => {
    const srcset = "a.png, b.png 2x,c,d.png?x,y (1,2) 3x,\n e.png 100w, data:image/png,AAAA 4x";
    const { html, assets } = await read(
      `<img src="z.png" srcset="${srcset}"><source srcset="f 1x, g 2x">`,
    );
    const names = html.resources.map(({ url }) => url.replace("https://example.com/shop/", ""));
    expect(names).toEqual(["z.png", "a.png", "b.png", "c,d.png?***", "e.png", "f", "g"]);
    expect(assets.map((url) => url.replace("https://example.com/shop/", ""))).toEqual([
      "a.png",
      "b.png",
      "e.png",
      "f",
      "g",
    ]);
  });

  it("resolves against the first base with a href", async () => {
    const { html } = await read(
      '<base target="_blank"><base href="/b/"><base href="/c/"><img src="a?k=s3cret#f" alt>',
    );
    expect(html.resources[0]?.url).toBe("https://example.com/b/a?k=***");
    expect((await read('<base href="data:,x"><img src=a>')).assets).toEqual([
      "https://example.com/shop/a",
    ]);
  });

  it("reports the position of each", async () => {
    const { html, assets } = await read(
      "<img src=http://localhost:3000/a>\n<img src=file:///a>\r\n<img src='https://ex ample/'>",
    );
    expect(html.resources).toMatchObject([
      { url: "http://localhost:3000/a", hostClass: "private", line: 1 },
      { url: "file:///a", line: 2 },
      { url: "https://ex ample/", hostClass: "invalid", line: 3 },
    ]);
    expect(assets).toEqual(["http://localhost:3000/a"]);
  });

  it("use a preload for the element that follows, in the preload's position", async () => {
    const references = new References(PAGE, () => "public");
    await readHtml(
      "<link rel=preload as=script href=a><script src=a defer></script><link rel=preload as=style href=b>",
      references,
    );
    expect(references.assetCandidates).toMatchObject([
      { kind: "script", tag: "script" },
      { kind: "other", tag: "link" },
    ]);
  });

  it("fetches each once, with unredacted values", async () => {
    const { assets } = await read(
      "<img src=a?k=v><img src=/shop/a?k=v#x><iframe src=b></iframe><script src=c></script>",
    );
    expect(assets).toEqual([
      "https://example.com/shop/a?k=v",
      "https://example.com/shop/b",
      "https://example.com/shop/c",
    ]);
  });

  it.each([
    ['<audio preload="none"><source src="/a.mp3"></audio>', []],
    [
      '<video preload="NONE"><source src="/a.mp4"></video><audio><source src="/b.mp3"></audio>',
      ["/b.mp3"],
    ],
    ['<video preload="none" autoplay><source src="/a.mp4"></video>', ["/a.mp4"]],
    ['<audio preload="metadata"><source src="/a.mp3"></audio>', ["/a.mp3"]],
  ])("%s: fetches only recordings that load immediately", async (text, paths) => {
    const { assets } = await read(text);
    expect(assets.map((url) => new URL(url).pathname)).toEqual(paths);
  });

  it("limits its list, and misses no late fault", async () => {
    const images = Array.from({ length: 300 }, (_, index) => `<img src=${index}>`).join("");
    const { html, assets } = await read(
      `${images}<img src=http://a.b/><script src=late.js></script>`,
    );
    expect(html.resources).toHaveLength(202);
    expect(html.resources.at(-2)?.url).toBe("http://a.b/");
    expect(assets.at(-1)).toBe("https://example.com/shop/late.js");
  });
});

describe("links", () => {
  it("are web pages, each once, without fragments and the page itself", async () => {
    const { html, links } = await read(
      '<a>x</a><a href=""><a href="#a"><a href="mailto:a@b.c"><a href="javascript:void(0)"><a href="tel:1">' +
        '<a href="/a#x"><a href="/a#y">\n<area href="?k=s3cret"><a href="https://other.example/"><a href="?x=1#z">',
    );
    expect(links).toEqual(["https://example.com/a", "https://example.com/shop/page?k=s3cret"]);
    expect(html.linkCount).toBe(4);
    expect(html.links.map(({ url, line }) => [url, line])).toEqual([
      ["https://example.com/a", 1],
      ["https://example.com/shop/page?k=***", 2],
      ["https://other.example/", 2],
      ["https://example.com/shop/page?x=***", 2],
    ]);
  });

  it.each([
    '<a href="/cdn-cgi/l/email-protection#8be2e5">',
    '<a href="/logout">',
    '<a href="/account/sign-out?next=/">',
    '<a href="/Account/LogOff">',
    '<a href="/newsletter/unsubscribe/7f3a">',
    '<a rel="noopener NoFollow" href="/cart?add=12">',
    '<a data-turbo-method="delete" href="/items/3">',
    '<a data-method="post" href="/items/3">',
    '<a up-method="patch" href="/items/3">',
    '<a hx-post="/items/3" href="/items/3">',
    '<a data-hx-delete="/items/3" href="/items/3">',
  ])("%s is not tried", async (text) => {
    const { html, links } = await read(text);
    expect(links).toEqual([]);
    expect(html.links).toHaveLength(1);
  });

  it.each([
    '<a data-method="GET" href="/a">',
    '<a href="/blog/logout-and-you">',
    '<a href="/cdn">',
    '<a rel="next" href="/2">',
  ])("%s is tried", async (text) => {
    expect((await read(text)).links).toHaveLength(1);
  });

  it("have a limited list, but a full count", async () => {
    const anchors = Array.from({ length: 300 }, (_, index) => `<a href=${index}>`).join("");
    const { html, links } = await read(`${anchors}<a href=http://localhost/>`);
    expect(html.linkCount).toBe(301);
    expect(html.links).toHaveLength(101);
    expect(html.links.at(-1)?.hostClass).toBe("private");
    expect(links).toHaveLength(300);
  });
});
