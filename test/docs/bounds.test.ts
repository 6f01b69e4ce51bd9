import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");

test("each table of the database stands in docs/bounds.md", async () => {
  const schema = await read("server/db/schema/001_schema.sql");
  const bounds = await read("docs/bounds.md");
  const tables = [...schema.matchAll(/^create table (\w+)/gm)].map(([, name]) => name);
  expect(tables.length).toBeGreaterThan(30);
  expect(tables.filter((name) => !bounds.includes(`\`${name}\``))).toEqual([]);
});
