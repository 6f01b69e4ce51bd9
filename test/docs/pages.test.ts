import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { PAGES } from "../../tools/docs/pages.ts";

const read = (name: string) => readFile(new URL(`../../${name}`, import.meta.url), "utf8");

test.each(Object.entries(PAGES))("%s is what `npm run docs` writes", async (name, render) => {
  expect(await read(name)).toBe(await render());
});

test("the map stays short enough to be read whole", async () => {
  const map = await read("ARCHITECTURE.md");
  const [, changes = ""] = map.split("## What a change touches");
  const [table = ""] = changes.split("\n## ");
  const HEAD = 2;
  expect(map.split("\n").length - 1).toBeLessThanOrEqual(150);
  expect(map.split(/\s+/).length).toBeLessThanOrEqual(2_200);
  expect(table.match(/^\|/gm)!.length - HEAD).toBeLessThanOrEqual(30);
});

test("the map names only files that exist", async () => {
  const names = (await read("ARCHITECTURE.md")).matchAll(
    /`((?:bin|cli|demo|docs|ops|server|shared|test|tools)\/[\w./-]+)`/g,
  );
  const files = [...names]
    .map(([, name = ""]) => name)
    .filter((name) => !/NAME|NOUN|AREA/.test(name));
  expect(files.length).toBeGreaterThan(50);
  expect(files.filter((name) => !existsSync(new URL(`../../${name}`, import.meta.url)))).toEqual(
    [],
  );
});
