import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { PAGES } from "../../tools/docs/pages.ts";

const read = (name: string) => readFile(new URL(`../../${name}`, import.meta.url), "utf8");

test.each(Object.entries(PAGES))("%s is what `npm run docs` writes", async (name, render) => {
  expect(await read(name)).toBe(await render());
});

test("the map stays short enough to read in full", async () => {
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

/** Yields the paths of source files in a text, each with a `*` for one folder. */
function* listPaths(text: string): Generator<string> {
  for (const [, path = ""] of text.matchAll(/`([\w*./-]+\.(?:tsx?|js|sql|css))`/g))
    if (!/NAME|NOUN|AREA|^\W|00\d_\*/.test(path)) yield path;
}

test("the READMEs of rooms and the decisions name only files that exist", async () => {
  const sources = ["server", "cli", "shared", "test", "tools", "bin"];
  const files = await Promise.all(
    sources.map(async (room) =>
      (await readdir(new URL(`../../${room}`, import.meta.url), { recursive: true })).map(
        (name) => `/${room}/${name}`,
      ),
    ),
  );
  const all = files.flat().filter((name) => !name.includes("node_modules"));
  const folder = "docs/internals/decisions";
  const decisions = await readdir(new URL(`../../${folder}`, import.meta.url));
  const rooms = ["server/db", "server/engine", "server/web", "test"];
  const pages = [
    ...decisions.map((name) => `${folder}/${name}`),
    ...rooms.map((room) => `${room}/README.md`),
    "docs/internals/asvs.md",
  ];
  const missing: string[] = [];
  for (const page of pages)
    for (const path of listPaths(await read(page))) {
      const [start = "", end] = path.split("*");
      const isThere = all.some((name) =>
        end === undefined
          ? name.endsWith(`/${path}`)
          : name.includes(`/${start}`) && name.endsWith(end),
      );
      if (!isThere) missing.push(`${page}: ${path}`);
    }
  expect(missing).toEqual([]);
});
