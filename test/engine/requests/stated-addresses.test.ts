import { describe, expect, it } from "vitest";
import type { Html } from "../../../server/engine/evidence/html.ts";
import { readHtml } from "../../../server/engine/requests/body/html.ts";
import { References } from "../../../server/engine/requests/body/html-references.ts";

async function facts(text: string): Promise<Html> {
  const page = new URL("https://example.com/shop/page?x=1");
  const { html } = await readHtml(text, new References(page, () => "public"));
  return html;
}

const jsonLd = (text: string) => `<script type="application/ld+json">${text}</script>`;
const readStated = async (text: string) =>
  (await facts(text)).stated.map(({ by, url }) => `${by} ${url}`);

describe("the address that a page states for itself", () => {
  it.each<[string, string[]]>([
    ['<link rel="alternate" href="https://a.example/feed">', []],
    ['<link rel="alternate" hreflang="fr" href="/fr/">', ["hreflang https://example.com/fr/"]],
    [
      '<link rel="alternate" hreflang="fr" href="https://a.example/fr"><link rel="alternate" hreflang="de" href="https://a.example/de">',
      ["hreflang https://a.example/fr"],
    ],
    [jsonLd('{"@id":"#site","name":"Tea"}'), ["json_ld https://example.com/shop/page?x=***"]],
    [jsonLd('{"url":"https://a.example/?key=s3cret#x"}'), ["json_ld https://a.example/?key=***"]],
    [jsonLd('[{"url":"https://a.example/"}]'), ["json_ld https://a.example/"]],
    [
      jsonLd('{"@graph":[{"@id":"https://a.example/","author":{"url":"https://b.example/"}}]}'),
      ["json_ld https://a.example/", "json_ld_part https://b.example/"],
    ],
    [
      jsonLd('{"mainEntityOfPage":{"@id":"https://a.example/"}}'),
      ["json_ld_part https://a.example/"],
    ],
    [jsonLd('{"sameAs":["https://x.com/a"],"@context":"https://schema.org"}'), []],
    [jsonLd('//<![CDATA[\n{"url":"https://a.example/"}\n//]]>'), ["json_ld https://a.example/"]],
    [jsonLd('<!-- {"url":"https://a.example/"} -->'), ["json_ld https://a.example/"]],
    [`<template>${jsonLd('{"url":"https://a.example/"}')}</template>`, []],
    ['<script type="application/json">{"url":"https://a.example/"}</script>', []],
  ])("%j", async (text, stated) => {
    const { stated: found, badJsonLdLine } = await facts(text);
    expect(found.map(({ by, url }) => `${by} ${url}`)).toEqual(stated);
    expect(badJsonLdLine).toBeNull();
  });

  it.each(["{", "{'a':1}", '{"a":1,}', '{"a":"\n"}', "undefined", "{{ json }}"])(
    "%j is not JSON-LD",
    async (text) => {
      expect((await facts(`\n${jsonLd(text)}`)).badJsonLdLine).toBe(2);
    },
  );

  it.each(["", " \n", '{"a":1', `"${"x".repeat(70_000)}`])(
    "is ignored if it is empty, not closed or too long: %.10j",
    async (text) => {
      const page = text.startsWith('{"') ? jsonLd(text).replace("</script>", "") : jsonLd(text);
      expect((await facts(page)).badJsonLdLine).toBeNull();
    },
  );

  it.each([
    ["nested arrays", jsonLd("[".repeat(30_000) + "]".repeat(30_000))],
    ["nested objects", jsonLd(`${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`)],
    [
      "many addresses",
      jsonLd(`[${Array.from({ length: 1500 }, (_, at) => `{"url":"//${at}.example"}`).join()}]`),
    ],
    ["many scripts", jsonLd('{"url":"//a.example"}').repeat(30_000)],
    ["many languages", '<link rel=alternate hreflang=a href="//a.example">'.repeat(20_000)],
  ])("stays small with %s", async (_why, text) => {
    expect(JSON.stringify(await readStated(text)).length).toBeLessThan(8192);
  });
});

it("shows which links are in a menu, and the language in XML", async () => {
  const { links, lang, xmlLang } = await facts(
    '<html xml:lang="fr"><header><a href="/a">a</a><nav><a href="/b">b</a></nav></header><p><a href="/c">c</a>',
  );
  expect(links.map(({ isMenu }) => isMenu)).toEqual([true, true, false]);
  expect([lang, xmlLang]).toEqual([null, "fr"]);
});

it.each([
  ["no-referrer", "no-referrer"],
  [" no-referrer", " no-referrer "],
  ["origin\n", " origin "],
])("a referrer policy %j is kept as %j, because browsers do not trim it", async (content, kept) => {
  const { metas } = await facts(`<meta name="referrer" content="${content}">`);
  expect(metas.map((meta) => meta.content)).toEqual([kept]);
});
