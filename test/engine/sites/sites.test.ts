import { readFile, readdir } from "node:fs/promises";
import { expect, it } from "vitest";
import { unpackEvidence } from "../../../server/engine/evidence/packed-evidence.ts";
import { scoreEvidence } from "../../../server/engine/judge/score.ts";
import type { CheckResult } from "../../../shared/check.ts";

const STORED = new URL("stored/", import.meta.url);

/** A result in two lines: what is not listed passes. */
function describeResult(name: string, result: CheckResult): string {
  const { score, scoreRange, coverage, verdict, caps, findings } = result;
  const limits = caps.map(({ limit, findingId }) => `, cap ${limit} by ${findingId}`).join("");
  const rest = findings
    .filter(({ status }) => status !== "pass")
    .map(({ id, status, earned, points }) =>
      status === "not_applicable" ? `${id} n/a` : `${id} ${status} ${earned}/${points}`,
    );
  return `${name}: ${score} (${scoreRange.min} to ${scoreRange.max}), coverage ${coverage}, ${verdict}${limits}\n  ${rest.join(", ")}\n`;
}

it("published sites are scored finding by finding", async () => {
  const results: string[] = [];
  for (const file of (await readdir(STORED)).toSorted()) {
    const evidence = await unpackEvidence(await readFile(new URL(file, STORED)));
    results.push(describeResult(file.replace(".json.br", ""), scoreEvidence(evidence!, "en")));
  }
  await expect(results.join("")).toMatchFileSnapshot("expected.txt");
});
