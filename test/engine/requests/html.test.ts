import { describe, expect, it } from "vitest";
import type { Html } from "../../../server/engine/evidence/html.ts";
import { readHtml } from "../../../server/engine/requests/body/html.ts";
import { References } from "../../../server/engine/requests/body/html-references.ts";

const PAGE = new URL("https://example.com/shop/page?x=1");

async function facts(text: string): Promise<Html> {
  const { html } = await readHtml(text, new References(PAGE, () => "public"));
  return html;
}

describe("the head", () => {
  it.each([
    ["<p>no", 0],
    ['<script type="application/ld+json">{}</script>', 0],
    ['<template><script>x</script></template><noscript><script src="a"></script></noscript>', 0],
    ['<script>x</script><script src="a.js"></script><script type=" Module ">y</script>', 3],
  ])("%j has %i scripts", async (text, scriptCount) => {
    expect((await facts(text)).scriptCount).toBe(scriptCount);
  });

  it.each([
    ["", null],
    ["<!-- <!doctype html> --><p>", null],
    ["<!DOCTYPE html>", "DOCTYPE html"],
    [
      '<!doctype HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">',
      'doctype HTML PUBLIC "-//W3C//DTD HTML 4.01//EN"',
    ],
    ["<!doctype ht\0ml>", "doctype ht\ufffdml"],
    ['<!DOCTYPE html\tPUBLIC "a\n b">', 'DOCTYPE html\tPUBLIC "a\n b"'],
    ["<!note><!doctype html>", "doctype html"],
    [`<!doctype ${"x".repeat(5000)}>`, `doctype ${"x".repeat(992)}`],
    ["<!doctype html><!doctype x>", "doctype html"],
    ["<p><!doctype html>", null],
    ["Warning: x <!doctype html>", null],
    ["</p><!doctype html>", null],
    ["\n<!-- x -->\n<!doctype html>", "doctype html"],
  ])("%j has the doctype %j", async (text, doctype) => {
    expect((await facts(text)).doctype).toBe(doctype);
  });

  it.each([
    ["<html amp>", true],
    ["<html \u26a1 lang=en>", true],
    ["<html \u26a1\ufe0f>", true],
    ["<html class=amp data-amp amp4ads>", false],
    ["<p amp>", false],
  ])("%s is an AMP page: %s", async (text, isAmp) => {
    expect((await facts(text)).isAmp).toBe(isAmp);
  });

  it.each([
    [
      `<script>var m = document.createElement("meta"); m.name = "viewport"; m.content = "width=1"</script>`,
      true,
    ],
    [
      `<script>(document.querySelector("meta[name='viewport']")||document.createElement("meta")).content=""</script>`,
      true,
    ],
    [`<script>document.write('<meta name="viewport" content="width=1">')</script>`, true],
    ["<script>_flutter.loader.load()</script>", true],
    [
      `<script>$("head").append('<meta name="viewport" content="width=device-width">')</script>`,
      true,
    ],
    [`<script>document.head.innerHTML += '<meta name="viewport">'</script>`, true],
    ["<script>frame.srcdoc = '<html><meta name=viewport>'</script>", false],
    [`<script>s.src = "main.dart.js?v=2"</script>`, true],
    [`<script>document.querySelector('meta[name="viewport"]').content = "x"</script>`, false],
    [
      `<script>var m = document.createElement("meta"); m.name = "theme-color"; innerWidth</script>`,
      false,
    ],
    ["<pre>_flutter.loader.load()</pre>", false],
    ['<script type="application/json">"main.dart.js"</script>', false],
  ])("%s writes the viewport: %s", async (text, writesViewport) => {
    expect((await facts(text)).writesViewport).toBe(writesViewport);
  });

  it.each([
    ["<script type=text/babel>a</script><script type=text/jsx>b</script>", ["babel"]],
    ["<link rel=stylesheet/less href=a.less>", ["less"]],
    ["<style type=text/less>a</style>", ["less"]],
    ["<script>a</script><link rel=stylesheet href=a.css><style>b</style>", []],
    ["<template><script type=text/babel>a</script></template>", []],
  ])("%s needs the compilers %j", async (text, compilers) => {
    expect((await facts(text)).compilers).toEqual(compilers);
  });

  it("lists the social networks that links without an address name", async () => {
    const linked = (before: string, ...links: string[]) =>
      facts(`<p>${"x".repeat(300)}</p>${before}${links.join("")}`);
    const networks = async (before: string, ...links: string[]) =>
      (await linked(before, ...links)).idleNetworks.map(({ network }) => network);
    expect(
      await networks(
        "<ul>",
        '<a href="#"><i class="fab fa-facebook-f"></i></a>',
        '<a href="" aria-label="Follow us on Instagram"><svg viewBox="0 0 1 1"><path d="M1"/></svg></a>',
        '<a href="javascript:void(0);" class="icon brands fa-twitter"><span class="label">Twitter</span></a>',
        '<a href="#" title="LinkedIn"></a>',
      ),
    ).toEqual(["facebook", "instagram", "twitter", "linkedin"]);
    for (const link of [
      '<a href="https://facebook.com/tea"><i class="fa-facebook"></i></a>',
      '<a href="#tea"><i class="fa-facebook"></i></a>',
      '<a href="#" onclick="open()"><i class="fa-facebook"></i></a>',
      '<a href="#" data-network="facebook"></a>',
      '<a href="#" class="share-facebook"></a>',
      '<a href="#" class="btn-facebook">Sign in with Facebook</a>',
      '<a href="#">How we use Facebook advertisements</a>',
      '<a href="#" class="facebooking"></a>',
      '<a href="#">Top</a>',
      `<a href="${" ".repeat(60_000)}#" class="fa-facebook"></a>`,
      `<a href="#" class="fa-facebook" title="${"x".repeat(60_000)}"></a>`,
      '<a href="#" class="fa-facebook">never closed',
    ])
      expect(await networks("", link), link).toEqual([]);
    expect(
      await networks('<div class="share-bar">', '<a href="#" class="fa-facebook"></a>'),
    ).toEqual([]);
    expect(await networks("", '<a href="#" class="fa-github"></a>'.repeat(50))).toHaveLength(10);
  });

  it.each([
    ["<html>", null],
    ['<svg lang="en"></svg>', null],
    ["<html lang>", ""],
    ["<HTML LANG=fr>", "fr"],
    ['<html lang="fr" lang="en">', "fr"],
    ["<html><html lang=fr>", "fr"],
    ["<html lang=en><body><html lang=fr>", "en"],
  ])("%j has the language %j", async (text, lang) => {
    expect((await facts(text)).lang).toBe(lang);
  });

  it.each<[string, number, string | null]>([
    ["<p>no", 0, null],
    ["<svg><title>Logo</title></svg>", 0, null],
    ["<template><title>x</title></template><noscript><title>y</title></noscript>", 0, null],
    ["<!-- <title>x</title> -->", 0, null],
    ["<title></title>", 1, ""],
    [
      "<title>\n Une <b>page</b> &amp; l&rsquo;autre\u202e </title>",
      1,
      "Une <b>page</b> & l’autre",
    ],
    ["<title>a</title><title>b</title>", 2, "a"],
    ["<title>At https://u:s3cret@h/?q=s3cret</title>", 1, "At https://h/?q=***"],
    [`<title>${"x".repeat(9000)}</title>`, 1, `${"x".repeat(299)}…`],
  ])("%j has %i titles, the first %j", async (text, titleCount, title) => {
    expect(await facts(text)).toMatchObject({ titleCount, title });
  });

  it("keeps the first declared charset, and the end of its tag", async () => {
    expect((await facts('<meta name=x><meta charset="UTF-8"><meta charset=x>')).charset).toEqual({
      label: "UTF-8",
      offset: 34,
    });
    const text = '<meta http-equiv="Content-Type" content="text/html; charset=latin1">';
    expect((await facts(text)).charset).toEqual({ label: "latin1", offset: text.length - 1 });
    expect((await facts('<meta name="description" content="a; charset=x">')).charset).toBeNull();
  });

  it("keeps the metas that rules read, without secrets", async () => {
    const text = [
      '<meta name="keywords" content="x"><meta name="refresh" content="x">',
      '<meta name=" Description " property="og:description" content=" Du \u202epain https://u:s3cret@h/?q=s3cret">',
      '<meta property="og:image" content="https://u:p@example.com/a.png?k=s3cret">',
      '<meta http-equiv="Refresh" content="0;url=/x?k=s3cret">',
      '<meta http-equiv="Content-Security-Policy" content="report-uri /r?k=s3cret">',
      '<noscript><meta name="robots" content="noindex"></noscript>',
    ].join("\n");
    expect((await facts(text)).metas).toMatchObject([
      { name: "description", content: "Du pain https://h/?q=***", line: 2 },
      { name: "og:description", content: "Du pain https://h/?q=***", line: 2 },
      { name: "og:image", content: "https://example.com/a.png?k=***", line: 3 },
      { name: "refresh", content: "0;url=/x?k=***", line: 4 },
      { name: "content-security-policy", content: "report-uri /r?k=***", line: 5 },
    ]);
  });

  const POLICY = `<meta http-equiv="Content-Security-Policy" content="script-src 'none'">`;
  it.each([
    ["", "", true],
    ["<!doctype html>\n<html lang=en>\n<head>", "", true],
    ["<html><head><title>a &lt; b</title><style>p{}</style><script>1</script>", "", true],
    ["<head><noscript><p>x</p></noscript><template><p>x</p></template>", "", true],
    ["<head></head>\n", "", true],
    ["<head></head></p>", "", true],
    ["<!-- a --><basefont><bgsound>", "", true],
    ["<body>", "", false],
    ["<head></head><body>", "", false],
    ["<head><p>", "", false],
    ["<head></head>text", "", false],
    ["text", "", false],
    ["\ufeff<!doctype html><head>", "", false],
    ["<head>&nbsp;", "", false],
    ["<head></body>", "", false],
    ["<head><svg>", "", false],
    ["<frameset>", "", false],
    ["<x-a><template shadowrootmode=open>", "</template></x-a>", false],
  ])("%j puts what follows in head: %s", async (before, after, isInHead) => {
    const { metas } = await facts(`${before}${POLICY}${after}`);
    expect(metas).toEqual([
      {
        name: "content-security-policy",
        content: "script-src 'none'",
        line: before.split("\n").length,
        isInHead,
        offset: before.length + POLICY.length - 1,
      },
    ]);
  });

  it.each([
    `<template>${POLICY}</template>`,
    `<head><template shadowrootmode=open>${POLICY}</template>`,
    `<noscript>${POLICY}</noscript>`,
    `<!-- ${POLICY} -->`,
    `<title>${POLICY}</title>`,
    POLICY.replace('"Content', '" Content'),
    POLICY.replace('Policy"', 'Policy "'),
    '<meta http-equiv="refresh " content="0;url=/">',
  ])("%s gives no meta", async (text) => {
    expect((await facts(text)).metas).toEqual([]);
  });

  it.each([
    ['<meta name="Viewport" content="a">', ["viewport"]],
    ['<meta name="REFERRER" property="description" content="a">', ["referrer", "description"]],
    ['<meta name=" description " content="a">', ["description"]],
    ['<meta property="robots" content="a">', ["robots"]],
    ['<meta name="viewport " content="a">', []],
    ['<meta property="viewport" content="a">', []],
    ['<meta name=" referrer" content="a">', []],
  ])("%s is placed under %j", async (text, names) => {
    expect((await facts(text)).metas.map(({ name }) => name)).toEqual(names);
  });

  it("shows that a policy was cut, even if its masks shortened it", async () => {
    const policy = `img-src ${"https://a.b/?k=s3cret ".repeat(600)}; script-src 'unsafe-inline'`;
    const text = `<meta http-equiv=content-security-policy content="${policy}">`;
    expect((await facts(text)).metas[0]?.content).toMatch(
      /^img-src https:\/\/a\.b\/\?k=\*\*\* .*…$/,
    );
  });

  it("ignores the charset of a pragma with a padded name", async () => {
    const text = '<meta http-equiv=" content-type" content="text/html; charset=utf-8">';
    expect((await facts(text)).charset).toBeNull();
  });

  it.each([
    ["", null],
    ["<html>", false],
    ['<html xmlns="http://www.w3.org/1999/xhtml/">', false],
    ['<div xmlns="http://www.w3.org/1999/xhtml">', false],
    ['<head><html xmlns="http://www.w3.org/1999/xhtml">', false],
    ['<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml">', true],
  ])("%j is rooted in XHTML: %s", async (text, isXhtml) => {
    expect(await facts(text)).toMatchObject({ isXhtml });
  });

  it.each<[string, object[]]>([
    ["<p>no", []],
    ["<script></script><style> </style><script> \n</script>", []],
    [
      '<script type="application/ld+json" nonce=a>{}</script><script type=speculationrules>{}</script>',
      [],
    ],
    ["<template><script>1</script></template><noscript><style>p{}</style></noscript>", []],
    ["<script nomodule>1</script><script src=a>1</script><style type=text/less>p</style>", []],
    ["<p><script nonce>1</script>", [{ kind: "script", nonce: "", offset: 16, line: 1 }]],
    [
      "<script nonce=a>1</script><style nonce=b>p{}</style>",
      [{ nonce: "a" }, { kind: "style", nonce: "b" }],
    ],
    [
      "<link rel=preload as=style href=a onload=b><link rel=stylesheet media=print href=a onload=b>",
      [{ kind: "handler" }, { kind: "handler", tag: "link" }],
    ],
    ["<link rel=stylesheet href=a onload=b><link rel=preload as=style href=a>", []],
    [
      "<script type=module>1</script>\n<script type=importmap>{}</script>",
      [{ kind: "module" }, { kind: "importmap", line: 2 }],
    ],
    [
      "<script>gtag('js')</script><script>gtag; go()</script>",
      [{ isTracker: true }, { isTracker: false }],
    ],
    [
      "<img src='data:,1'><img src='data:,2'><script src=data:,3></script>",
      [
        { kind: "image", scheme: "data:" },
        { kind: "script", scheme: "data:" },
      ],
    ],
  ])("%s is kept as part of the page", async (text, inlines) => {
    expect((await facts(text)).inlines).toMatchObject(inlines);
  });

  it.each<[string, string, string[]]>([
    ["no hash is asked for", "script-src 'self'", []],
    ["another hash", "script-src 'sha256-AAAA='", []],
    [
      "its own",
      "script-src 'sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s='",
      ["sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s"],
    ],
    [
      "its own, for URLs",
      "style-src 'SHA256-a4ayc_80_OGda4BO_1o_V0etpOqiLx1JwB5S3beHW0s'",
      ["sha256-a4ayc/80/OGda4BO/1o/V0etpOqiLx1JwB5S3beHW0s"],
    ],
  ])(
    "lists the hashes of its policy that match an inline script: %s",
    async (_why, policy, hashes) => {
      const read = async (text: string, header: string) =>
        (await readHtml(text, new References(PAGE, () => "public"), undefined, header)).html
          .inlines;
      const meta = `<meta http-equiv=Content-Security-Policy content="${policy}">`;
      expect(await read("<script>1</script>", policy)).toMatchObject([{ hashes }]);
      expect(await read(`${meta}<script>1</script>`, "")).toMatchObject([{ hashes }]);
      expect(await read(`<script>1</script>${meta}`, "")).toMatchObject([{ hashes: [] }]);
    },
  );

  it.each<[string, object | null]>([
    ["<script src=a>", null],
    ["<base href=/b/><a href=/c>", { url: "https://example.com/b/", isUsed: false }],
    ["<base href=/b/><a href=c>", { url: "https://example.com/b/", isUsed: true }],
    ["<base href=/b/><form action=c>", { isUsed: true }],
    ["<base href=https://a.b/><script src=/c>", { url: "https://a.b/", isUsed: true }],
    ["<base href=/shop/><script src=c>", { isUsed: false }],
  ])("the base of %s", async (text, base) => {
    const found = (await facts(text)).base;
    if (base === null) expect(found).toBeNull();
    else expect(found).toMatchObject(base);
  });

  it("keeps canonicals as written", async () => {
    const text =
      '<link rel="canonical" href=" /a?b=s3cret#c "><link rel="x CANONICAL" href="https://a.b">';
    expect((await facts(text)).canonicals).toEqual([
      { url: "/a?b=***", line: 1 },
      { url: "https://a.b/", line: 1 },
    ]);
  });
});

describe("text", () => {
  it.each([
    ["<p> a <b>b</b>\n\t c </p>", 5],
    ["a&nbsp;&nbsp;b", 3],
    ["<style>a{}</style><script>let a</script><title>a</title><!-- a -->", 0],
    ["<template>a</template><noscript>a</noscript><iframe>a</iframe>", 0],
    ["<svg><text>a</text><style>b</style></svg>", 0],
    ["<svg><path><p>abc", 3],
    ["<template><template>a</template>b</template>cd", 2],
    ['<x-a><template shadowrootmode="open">abc</template></x-a>', 3],
    ["<script>'<p>a</p>'</script>b", 1],
    ["<textarea>ab</textarea>", 2],
    ["<![CDATA[a]]>", 0],
  ])("%j shows %i characters", async (text, textLength) => {
    expect((await facts(text)).textLength).toBe(textLength);
  });

  it("counts the text of noscript separately", async () => {
    const html = await facts("<noscript><style>a</style> You  need <b>JS</b></noscript>a");
    expect(html).toMatchObject({ noscriptLength: 11, textLength: 1 });
  });

  it.each([
    ['<div id="root">Bonjour</div>', null],
    ['<div id="root"><img src="a.png" alt=""></div>', null],
    ['<div id="content"></div>', null],
    ['<template><div id="root"></div></template>', null],
    ['<div id="root"></div>', "root"],
    [
      '<div id="app"> <!-- x --><div class="spinner"></div><noscript>JS</noscript></div><p>a',
      "app",
    ],
    ["<app-root></app-root>", "app-root"],
    ['<main><div id="__next"></div></main>', "__next"],
  ])("%j has the empty root %j", async (text, emptyRootId) => {
    expect((await facts(text)).emptyRootId).toBe(emptyRootId);
  });
});

describe("visible content", () => {
  it.each([
    ["<canvas></canvas><math></math><svg></svg>", 3, 0],
    ["<input type=hidden><dialog><button>a</button></dialog>", 0, 0],
    ['<svg style="display: none"><symbol></symbol></svg><div hidden><img><input></div>', 0, 0],
    ['<img style="display:none"><img hidden><img><input>', 1, 1],
    ["<body hidden><img><input>", 0, 0],
    ["<html style='display:none'><img><input>", 0, 0],
    ["<body hidden><img><input><script>show()</script>", 1, 1],
  ])("%j has %i drawings and controls, and %i images", async (text, shownCount, imageCount) => {
    expect(await facts(text)).toMatchObject({ shownCount, imageCount });
  });
});

describe("the private addresses to which inline scripts send requests", () => {
  it.each([
    '<script>fetch("http://localhost:3000/api")</script>',
    '<script>window.__NUXT__={};window.__NUXT__.config={public:{apiBase:"http://localhost:3000/api"}}</script>',
    '<script id="__NEXT_DATA__" type="application/json">{"runtimeConfig":{"apiUrl":"http://localhost:3000/api"}}</script>',
  ])("%s", async (script) => {
    expect((await facts(`<p>a\n<p>b\n${script}`)).privateUrls).toEqual([
      { url: "http://localhost:3000/api", line: 3 },
    ]);
  });

  it.each([
    '<pre>fetch("http://localhost:3000/api")</pre>',
    '<!-- <script>fetch("http://localhost:3000/api")</script> -->',
    '<textarea><script>fetch("http://localhost:3000/api")</script></textarea>',
    String.raw`<script>self.__next_f.push([1,"fetch(\"http://localhost:3000/api\")"])</script>`,
  ])("but not %s", async (text) => {
    expect((await facts(text)).privateUrls).toEqual([]);
  });
});

describe("images", () => {
  it.each([
    ['<div aria-hidden="true"><p><img></div>', 0],
    ['<a aria-hidden=TRUE><img></a><span aria-hidden="true"><span></span><img></span>', 0],
    ['<figure aria-hidden="true"><img></figure><picture aria-hidden="true"><img></picture>', 0],
    ['<div aria-hidden="true"></div><img>', 1],
    ['<div aria-hidden="false"><img></div><div role="presentation"><img></div>', 2],
  ])("%j has %i without an alternative", async (text, count) => {
    expect((await facts(text)).imagesWithoutAltCount).toBe(count);
  });

  it("counts all and shows the first five without alt", async () => {
    const html = await facts(
      '<img alt=""><img src=a alt><template><img></template><noscript><img></noscript>\n' +
        '<img src="/a.png?k=s3cret"><img>' +
        "<img src=b>".repeat(10),
    );
    expect(html).toMatchObject({ imageCount: 14, imagesWithoutAltCount: 12 });
    expect(html.imagesWithoutAlt).toHaveLength(5);
    expect(html.imagesWithoutAlt.slice(0, 2)).toEqual([
      { tag: '<img src="/a.png?k=***">', line: 2 },
      { tag: "<img>", line: 2 },
    ]);
  });
});
