import { describe, expect, it } from "vitest";
import { readHtml } from "../../../server/engine/requests/body/html.ts";
import { References } from "../../../server/engine/requests/body/html-references.ts";

async function readTexts(page: string): Promise<string[] | undefined> {
  const references = new References(new URL("https://example.com/"), () => "public");
  const { html } = await readHtml(page, references);
  return html.templateTexts?.map(({ tag, text }) => `${tag}: ${text}`);
}

const LOREM = "Lorem ipsum dolor sit amet";

describe("texts that may come from a template", () => {
  it.each<[string, string[]]>([
    ["<h1>Tea</h1><p>By the leaf</p>", []],
    [`<code>${LOREM}</code><pre>${LOREM}</pre><textarea>${LOREM}</textarea>`, []],
    [`<template><p>${LOREM}</p></template><script>"${LOREM}"</script><!-- ${LOREM} -->`, []],
    ["<td>undefined</td><li>undefined</li><p>is <b>undefined</b></p>", []],
    ["<h1>undefined</h1>", ["h1: undefined"]],
    [
      "<p>Published: Invalid Date</p><p><code>Invalid Date</code></p>",
      ["p: Published: Invalid Date"],
    ],
    ["<h2>Your Company Name</h2><td>Your Company</td>", ["h2: Your Company Name"]],
    ["<h2><a href=/a>{{ name }}</a></h2>", ["a: {{ name }}"]],
    [
      "<h1>home.hero.title</h1><a href=/a>nav.home</a><h2><code>page.title</code></h2>",
      ["h1: home.hero.title", "a: nav.home"],
    ],
    [
      "<h1 data-i18n=home.hero.title>home.hero.title</h1><p translate>home.hero.text</p><a href=/a>header.php</a>",
      [],
    ],
    [`<li>${LOREM}</li>`, [`li: ${LOREM}`]],
    [`<div>${LOREM}<br>consectetur</div>`, [`div: ${LOREM}`]],
    [`<p>${LOREM} <a href=/a>More</a></p>`, [`p: ${LOREM}`]],
    [`<p>${LOREM}<p>By the leaf</p>`, [`p: ${LOREM}`]],
  ])("are found in %j: %j", async (page, texts) => {
    expect(await readTexts(page)).toEqual(texts);
  });
});
