import { readFile } from "node:fs/promises";
import { brotliDecompressSync } from "node:zlib";
import * as z from "zod";
import { expect, test } from "vitest";
import { Evidence } from "../../server/evidence/evidence.ts";
import { findRuleset } from "../../server/judge/ruleset.ts";
import { judgeEvidence, judgeRows } from "../../server/judge/score.ts";
import { digestRules } from "./released.ts";

const FOLDER = new URL("released/", import.meta.url);
/** A mended judgement of these is unknown where the former was sure. */
const MAY_BE_UNKNOWN: readonly string[] = ["cors.credentials"];
const ReleasedCases = z.array(z.tuple([z.string(), Evidence]));

async function readCases(version: string): Promise<z.infer<typeof ReleasedCases>> {
  const packed = await readFile(new URL(`${version}.cases.json.br`, FOLDER));
  return ReleasedCases.parse(JSON.parse(brotliDecompressSync(packed).toString()));
}

/*
 * What a released ruleset says never changes, in points or in words, of evidence as it was stored then: where one of
 * these fails, the ruleset's rules were touched. `npx tsx tools/release/ruleset.ts` writes both files, once, at a release.
 */
test.each([
  ["2026.0", "2026.1"],
  ["2026.1", "2026.1"],
])("ruleset %s says what it said of the evidence of %s", async (version, cases) => {
  const ruleset = findRuleset(version);
  if (!ruleset) throw new Error(`there is no ruleset ${version}`);
  const stored = await readCases(cases);
  const said: unknown = JSON.parse(await readFile(new URL(`${version}.json`, FOLDER), "utf8"));
  expect(digestRules(ruleset, stored)).toEqual(said);
});

test("evidence stored under 2026.1 is judged by the newest ruleset: what it does not hold is unknown, and nothing else", async () => {
  const before = findRuleset("2026.1");
  if (!before) throw new Error("there is no ruleset 2026.1");
  const known = new Set(before.rows.map(({ id }) => id));
  for (const [, evidence] of await readCases("2026.1")) {
    const judged = judgeRows(evidence);
    expect(judged.filter((row) => "error" in row)).toEqual([]);
    const was = judgeEvidence(evidence, judgeRows(evidence, before));
    const lost = judged.filter(
      ({ row, judgement }) =>
        judgement.status === "unknown" &&
        known.has(row.id) &&
        was.get(row.id)?.status !== "unknown",
    );
    expect(MAY_BE_UNKNOWN).toEqual(expect.arrayContaining(lost.map(({ row }) => row.id)));
  }
});
