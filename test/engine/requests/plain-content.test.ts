import { describe, expect, test } from "vitest";
import type { Html } from "../../../server/engine/evidence/html.ts";
import { readHtml } from "../../../server/engine/requests/body/html.ts";
import { References } from "../../../server/engine/requests/body/html-references.ts";

const PAGE = new URL("https://example.com/");

async function read(text: string): Promise<Html> {
  const { html } = await readHtml(text, new References(PAGE, () => "public"));
  return html;
}

async function listPlain(text: string): Promise<string[]> {
  const { resources } = await read(text);
  return resources.filter(({ url }) => url.startsWith("http:")).map(({ kind }) => kind);
}

const API = "http://api.example.net/a";

describe("a request of an inline script over http", () => {
  test.each([
    `fetch("${API}")`,
    `window.fetch('${API}').then((answer) => answer.json())`,
    `const data = fetch(\`${API}\`);`,
    `fetch("${API}/" + id)`,
    `try { var request = new XMLHttpRequest(); request.open("get", "${API}"); } catch {}`,
    `let socket; socket = new WebSocket("ws://api.example.net/a")`,
    `new EventSource("${API}")`,
    `navigator.sendBeacon("${API}", "x")`,
    `import("${API}")`,
  ])("is sent whenever it runs: %s", async (code) => {
    const { plainCalls } = await read(`<p>\n<script>\n${code}</script>`);
    expect(plainCalls).toMatchObject([{ line: 3, isAtTop: true }]);
    expect(plainCalls[0]?.url).toMatch(/^(?:http|ws):..api.example.net.a/);
  });

  test("is sent whenever a module runs", async () => {
    const { plainCalls } = await read(`<script type=module>await fetch("${API}")</script>`);
    expect(plainCalls).toEqual([{ url: API, line: 1, isAtTop: true }]);
  });

  test.each([
    `function load() { fetch("${API}") }`,
    `(() => { fetch("${API}") })()`,
    `if (location.protocol === "http:") new WebSocket("ws://api.example.net/a")`,
    `isOld && fetch("${API}")`,
    `button.onclick = () => fetch("${API}")`,
  ])("may be sent: %s", async (code) => {
    const { plainCalls } = await read(`<script>\n${code}</script>`);
    expect(plainCalls).toMatchObject([{ line: 2, isAtTop: false }]);
  });

  test.each([
    `fetch("https://api.example.net/a")`,
    `fetch("/a")`,
    `fetch("http://localhost:3000/a")`,
    `fetch("http://127.0.0.1/a"); new WebSocket("ws://[::1]:8080/")`,
    `window.open("${API}", "_blank")`,
    `const address = "${API}";`,
  ])("is none: %s", async (code) => {
    expect((await read(`<script>${code}</script>`)).plainCalls).toEqual([]);
  });
});

describe("a script over http", () => {
  const FILE = "<script src=http://cdn.example/jquery.js></script>";
  test.each([
    ["<script>window.jQuery || document.write('<script src=\"a.js\"><\\/script>')</script>", 1],
    ["<script>if(!window.jQuery){document.write('<script src=\"a.js\"><\\/script>')}</script>", 1],
    [
      "<script>if (!window.jQuery) { var a = document.createElement('script'); a.src = '/a.js'; document.head.append(a) }</script>",
      1,
    ],
    ["<script>document.write(unescape(\"%3Cscript src='/a.js'%3E%3C/script%3E\"))</script>", 0],
    [
      "<script>window.jQuery || document.write('<script src=http://b.example/a.js><\\/script>')</script>",
      0,
    ],
    ["<script>window.jQuery || alert(1)</script>", 0],
    [
      "<script src=/b.js></script><script>a || document.write('<script src=a.js><\\/script>')</script>",
      1,
    ],
  ])("before %s: %i scripts have another copy", async (next, count) => {
    const { replacedScripts, resources } = await read(FILE + next);
    expect(replacedScripts).toHaveLength(count);
    const isOfFile = replacedScripts.includes(resources[0]?.offset ?? -1);
    expect(isOfFile).toBe(count > 0 && !next.includes("/b.js"));
  });
});

describe("over http", () => {
  const MAP = '<script type=importmap>{"imports":{"lib":"http://cdn.example/lib.js"}}</script>';
  test.each([
    [MAP, ["other"]],
    [`${MAP}<script type=module>import a from "lib"; a()</script>`, ["other", "module"]],
    [`${MAP}<script type=module>import "lib/x"; a("lib")</script>`, ["other"]],
    [
      '<script type=importmap>{"scopes":{"/a/":{"lib":"http://cdn.example/lib.js"}}}</script>',
      ["other"],
    ],
    ["<script type=importmap>{http:</script>", []],
    [
      "<table background=http://a.example/a.png><td background=http://a.example/b.png>",
      ["image", "image"],
    ],
    ["<image src=http://a.example/a.png>", ["image"]],
    [
      "<svg><use href=http://a.example/a.svg></use><feImage xlink:href=http://a.example/b.png /></svg>",
      ["image", "image"],
    ],
    ["<style>:root{--a:url(http://a.example/a.png)}</style>", []],
    ["<style>:root{--a:url(http://a.example/a.png)} p{background:var(--a)}</style>", ["image"]],
  ])("%s loads %j", async (text, kinds) => {
    expect(await listPlain(text)).toEqual(kinds);
  });
});
