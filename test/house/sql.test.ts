import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SERVER = fileURLToPath(new URL("../../server/", import.meta.url));
const QUERY = /\b(?:sql|fragment)(?:<[^`;]*>)?`/;

test("SQL is only in server/db", () => {
  const files = readdirSync(SERVER, { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .filter((file) => QUERY.test(readFileSync(SERVER + file, "utf8")));
  expect(files).toContain("db/projects/projects.ts");
  expect(files.filter((file) => !file.startsWith("db/"))).toEqual([]);
});
