import { readFile } from "node:fs/promises";
import { brotliDecompressSync } from "node:zlib";
import * as z from "zod";
import { expect, test } from "vitest";
import { Evidence } from "../../server/probe/evidence.ts";
import { findRuleset } from "../../server/verify/ruleset.ts";
import { digestRules } from "./released.ts";

const FOLDER = new URL("released/", import.meta.url);
const ReleasedCases = z.array(z.tuple([z.string(), Evidence]));

/*
 * What a released ruleset says never changes, in points or in words, of evidence as it was stored then: where one of
 * these fails, the ruleset's rules were touched. `npm run release:ruleset` writes both files, once, at a release.
 */
test.each([
  ["2026.0", "2026.1"],
  ["2026.1", "2026.1"],
])("ruleset %s says what it said of the evidence of %s", async (version, cases) => {
  const packed = await readFile(new URL(`${cases}.cases.json.br`, FOLDER));
  const stored = ReleasedCases.parse(JSON.parse(brotliDecompressSync(packed).toString()));
  const ruleset = findRuleset(version);
  if (!ruleset) throw new Error(`there is no ruleset ${version}`);
  const said: unknown = JSON.parse(await readFile(new URL(`${version}.json`, FOLDER), "utf8"));
  expect(digestRules(ruleset, stored)).toEqual(said);
});
