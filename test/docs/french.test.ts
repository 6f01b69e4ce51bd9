import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readBlocks } from "../ci/blocks.ts";
import { ROOT } from "../harness/package.ts";

const readCode = async (name: string) => (await readBlocks(name)).map(({ text }) => text);

test("the documents that are pages are translated", async () => {
  expect(await readdir(join(ROOT, "docs", "fr"))).toEqual(["alerts.md", "ci.md", "mcp.md"]);
});

test.each(["alerts.md", "mcp.md"])("docs/fr/%s has the code of the English page", async (name) => {
  expect(await readCode(`fr/${name}`)).toEqual(await readCode(name));
});

test("docs/fr/ci.md has the code of the English sections that it translates", async () => {
  const [french, english] = await Promise.all([readCode("fr/ci.md"), readCode("ci.md")]);
  expect(french.slice(0, 4)).toEqual(english.slice(0, 4));
  expect(english.filter((text) => french.includes(text))).toEqual(french);
});
