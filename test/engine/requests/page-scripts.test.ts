import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readHtml } from "../../../server/engine/requests/body/html.ts";
import { References } from "../../../server/engine/requests/body/html-references.ts";
import { addsCode } from "../../../server/engine/requests/body/script-text.ts";

async function read(text: string) {
  const references = new References(new URL("https://example.com/"), () => "public");
  return (await readHtml(text, references)).html;
}

const hash = (text: string) => createHash("sha256").update(text).digest("base64");

describe("a handler of the page", () => {
  test.each([
    '<p onclick="a()">',
    "<IMG src=a.png OnError=a()>",
    '<template><b onload="a()"></template>',
    '<svg onload="a()"></svg>',
    '<a href="javascript:a()">',
    '<a href=" \tjava\nscript:a()">',
    '<form action="JavaScript:a()">',
    '<button formaction="javascript:a()">',
    '<iframe src="javascript:a()">',
    '<iframe srcdoc="<script>a()</script>">',
  ])("is seen: %s", async (text) => {
    expect((await read(text)).hasHandlers).toBe(true);
  });

  test.each([
    "<p>onclick=a()</p>",
    '<p title="onclick=a()" data-on="x" only="x">',
    '<a href="/javascript:a()">',
    "<script>a.onclick = b</script>",
    "<!-- <p onclick='a()'> -->",
  ])("is not seen: %s", async (text) => {
    expect((await read(text)).hasHandlers).toBe(/only/.test(text));
  });
});

test("an inline script has the hash of its text as browsers read it", async () => {
  const { inlines } = await read(
    "<script>a\r\n'é'</script><script type=module>b</script><style>p{}</style><script src=a.js></script>",
  );
  expect(inlines.map(({ kind, sha256 }) => [kind, sha256])).toEqual([
    ["script", hash("a\n'é'")],
    ["module", hash("b")],
    ["style", ""],
  ]);
});

describe("a script that may add code", () => {
  test.each([
    "eval(a)",
    "new Function ('return 1')",
    'document.write("<p>")',
    'document.createElement("script")',
    "d.createElement( 'SCRIPT' )",
    "n.createElement(t)",
    "import('./a.js')",
    'import a from "https://cdn.example/a.js"',
    'import "//cdn.example/a.js"',
    "new Worker('a.js')",
    "navigator.serviceWorker.register('/sw.js')",
    "WebAssembly.instantiate(a)",
    'setTimeout("a()", 1)',
    `a.innerHTML = '<b onclick="b()">'`,
    'a.href = "javascript:b()"',
  ])("%s", async (text) => {
    expect(addsCode(text)).toBe(true);
    const { inlines } = await read(`<script>${text}</script>`);
    expect(inlines.map((inline) => inline.addsCode)).toEqual([true]);
  });

  test.each([
    'document.createElement("div")',
    "setTimeout(() => a(), 1)",
    "a.onclick = function () {}",
    "function evaluate(a) {}",
    'import a from "./a.js"',
    'a.innerHTML = "<b>Tea</b>"',
  ])("%s may not", (text) => {
    expect(addsCode(text)).toBe(false);
  });
});
