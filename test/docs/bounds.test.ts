import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { readMigrations } from "../../server/db/schema/schema.ts";

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");

test("each table of the database stands in docs/bounds.md", async () => {
  const [migration] = await readMigrations();
  const bounds = await read("docs/bounds.md");
  const tables = [...migration!.script.matchAll(/^create table (\w+)/gm)].map(([, name]) => name);
  expect(tables.length).toBeGreaterThan(30);
  expect(tables.filter((name) => !bounds.includes(`\`${name}\``))).toEqual([]);
});
