import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), "utf8");
const namesIn = (text: string) =>
  [...text.matchAll(/\b(?:SHIPSCORE_[A-Z_]+|DATABASE_URL)\b/g)].map(([name]) => name);

test("docs/settings.md has a row for each setting of the server, and no others", async () => {
  const [, settings = ""] = (await read("server/config.ts")).split("const SETTINGS = ");
  const [, table = ""] = (await read("docs/settings.md")).split("| `DATABASE_URL` |");
  const rows = `| \`DATABASE_URL\` |${table.split("\n\n")[0] ?? ""}`.split("\n");
  const cells = rows.map((row) => row.split("|")[1] ?? "");
  const names = new Set(namesIn(settings.split("\n};")[0] ?? ""));
  expect(names.size).toBeGreaterThan(1);
  expect(cells.flatMap(namesIn).toSorted()).toEqual([...names].toSorted());
});
