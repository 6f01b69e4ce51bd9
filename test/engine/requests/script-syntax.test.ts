import { describe, expect, test } from "vitest";
import type { ScriptFault } from "../../../server/engine/evidence/html.ts";
import { readHtml } from "../../../server/engine/requests/body/html.ts";
import { References } from "../../../server/engine/requests/body/html-references.ts";

const PAGE = new URL("https://example.com/");

async function findFaults(text: string): Promise<ScriptFault[]> {
  const { html } = await readHtml(text, new References(PAGE, () => "public"));
  return html.scriptFaults;
}

const NAMES = Array.from({ length: 60_000 }, (_, index) => `a${index.toString(36)}`).join(",");

describe("an inline script", () => {
  test.each([
    ["<script>a b</script>", 1, "Unexpected identifier"],
    ["\n<script\n async>\n\nvar a = <div>;</script>", 5, "Unexpected token '<'"],
    ["<script>let a;\r\nlet a;</script>", 2, "Identifier has already been declared"],
    ["<script>alert('It's tea')</script>", 1, "missing ) after argument list"],
    ["<script>if (a) {</script>", 1, "Unexpected end of input"],
    ["<script>/(/.test(a)</script>", 1, "Invalid regular expression"],
    ['<script>import "/a.js"</script>', 1, "Cannot use import statement outside a module"],
    ["<script type='text/javascript' language='x'>a b</script>", 1, "Unexpected identifier"],
    ["<script language='JavaScript1.2'>a b</script>", 1, "Unexpected identifier"],
    ["<script>a b<!-- c</script>", 1, "Unexpected identifier"],
    [`<script>${"a = 1;\n".repeat(1500)}b c</script>`, 1501, "Unexpected identifier"],
    [
      `<script>${"function a(){return 1}\n".repeat(700)}\nvar b = <p></script>`,
      702,
      "Unexpected token '<'",
    ],
    [
      `<script>${"function a(){return 1}\n".repeat(700)}"</script>`,
      701,
      "Invalid or unexpected token",
    ],
  ])("with an error: %#", async (text, line, error) => {
    expect(await findFaults(text)).toEqual([{ line, error }]);
  });

  test.each([
    ["using", "{ using a = null }"],
    ["modifiers of an expression", "/(?i:a)/.test('A')"],
    ["groups named twice", "/(?<y>\\d{4})-x|(?<y>\\d{2})/"],
    ["sets", "/[\\p{L}--[a-z]]/v"],
    ["old comments", "<!-- hidden\na()\n-->"],
    ["sloppy code", "with (a) { delete b; arguments = 0777 }"],
    ["a secret in a name that is declared once", "let sk_live_1"],
    ["a large bundle", "function a(){return{b:1}}\n".repeat(15_000)],
  ])("without one: %s", async (_, text) => {
    expect(await findFaults(`<script>${text}</script>`)).toEqual([]);
  });

  test.each([
    ["a module", "<script type=module>a b</script>"],
    ["an import map", "<script type=importmap>a b</script>"],
    ["speculation rules", "<script type=speculationrules>a b</script>"],
    ["JSON", "<script type='application/json'>a b</script>"],
    ["JSON-LD", "<script type='application/ld+json'>a b</script>"],
    ["a template", "<script type='text/template'>a b</script>"],
    ["a type with a parameter", "<script type='text/javascript; charset=utf-8'>a b</script>"],
    ["Babel", "<script type='text/babel'>a = <b/></script>"],
    ["VBScript", "<script language=vbscript>a b</script>"],
    ["a handler of Internet Explorer", "<script for=a event=onclick>a b</script>"],
    ["a fallback", "<script nomodule>a b</script>"],
    ["a script with a file", "<script src=/a.js>a b</script>"],
    ["noscript", "<noscript><script>a b</script></noscript>"],
    ["a template element", "<template><script>a b</script></template>"],
    ["a drawing", "<svg><script>a b</script></svg>"],
    ["no end", "<script>a b"],
    ["a comment", "<!-- <script>a b</script> -->"],
    ["both marks", "<script>a b <!-- <script></script>"],
    ["no code", "<script> \n </script>"],
    ["more than 512 KB", `<script>${"a;".repeat(262_145)}a b</script>`],
    ["the 65th", `${"<script>a</script>".repeat(64)}<script>a b</script>`],
  ])("is not assessed: %s", async (_, text) => {
    expect(await findFaults(text)).toEqual([]);
  });

  test("is one of five at most, and says no word of the script", async () => {
    const faults = await findFaults("<script>let sk_live_1, sk_live_1</script>".repeat(9));
    expect(faults).toHaveLength(5);
    expect(JSON.stringify(faults)).not.toContain("sk_live");
  });
});

describe("a hostile script counts for nothing, and takes at most two seconds:", () => {
  test.each([
    ["parentheses", "(".repeat(500_000)],
    ["braces", "{".repeat(500_000)],
    ["arrays", "[".repeat(500_000)],
    ["functions", "(function(){".repeat(40_000)],
    ["arrows", "a=>".repeat(160_000)],
    ["templates", "`${".repeat(160_000)],
    ["classes", "class a{b(){".repeat(40_000)],
    ["conditions", "if(a)".repeat(100_000)],
    ["negations", "!".repeat(500_000)],
    ["a nested expression", `/${"(".repeat(250_000)}${")".repeat(250_000)}/`],
    ["a long expression", `/${"(?:a*)*".repeat(70_000)}b/`],
    ["declarations in nested blocks", `${"{".repeat(4000)}var ${NAMES};)`],
    ["names in nested scopes", `${"{let x;".repeat(4000)}${NAMES};)`],
    ["nested blocks that a string hides", `${"{/*}*/".repeat(4000)}var ${NAMES};)`],
    [
      "nested blocks after an error for one of two parsers",
      `{using a = null}${"{".repeat(4000)}var ${NAMES};)`,
    ],
  ])("%s", async (_, text) => {
    const startedAt = process.cpuUsage();
    expect(await findFaults(`<script>${text}</script>`)).toEqual([]);
    const { user, system } = process.cpuUsage(startedAt);
    expect((user + system) / 1000).toBeLessThan(2000);
  });
});
