import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { PAGES } from "../../tools/docs/pages.ts";

test.each(Object.entries(PAGES))("%s is what `npm run docs` writes", async (name, render) => {
  expect(await readFile(new URL(`../../${name}`, import.meta.url), "utf8")).toBe(await render());
});
