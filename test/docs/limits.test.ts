import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { readMigrations } from "../../server/db/schema/schema.ts";

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");

test("docs/promises.md has a limit for each table of the database", async () => {
  const [migration] = await readMigrations();
  const promises = await read("docs/promises.md");
  const tables = [...migration!.script.matchAll(/^create table (\w+)/gm)].map(([, name]) => name);
  expect(tables.length).toBeGreaterThan(30);
  expect(tables.filter((name) => !promises.includes(`\`${name}\``))).toEqual([]);
});
