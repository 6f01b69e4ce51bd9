import { expect, test } from "vitest";
import { packEvidence } from "../../server/evidence/evidence-file.ts";
import { RULESET } from "../../server/judge/ruleset.ts";
import { judgeAgain } from "../../server/verify/judge-again.ts";
import { evidenceWith } from "../judge/evidence-fixtures.ts";

const ID = "chk_00000000000000000001";
const EVIDENCE = evidenceWith(({ assets }) => {
  for (const asset of assets.slice(1)) Object.assign(asset, { status: 404, kind: "icon" });
});

const judge = async (own: string, ruleset?: string) =>
  judgeAgain({
    id: ID,
    evidence: await packEvidence(EVIDENCE, { ruleset: own, language: "fr" }),
    language: "en",
    ruleset,
  });

test.each([
  ["its own ruleset", "2026.0", "2026.0"],
  ["the newest, if a newer program judged it", "2999.1", RULESET.version],
])("stored evidence is judged by %s", async (_, own, by) => {
  const { check, changes } = await judge(own);
  expect([check.id, check.url, check.ruleset]).toEqual([ID, EVIDENCE.url, by]);
  expect(changes).toBeUndefined();
});

test.each<[asked: string, to: string | undefined, moved: string[] | undefined]>([
  ["1999.1", undefined, undefined],
  ["2026.0", "2026.0", []],
  ["2026.1", "2026.1", ["asset.broken"]],
])("under %s what moves is told beside it", async (asked, to, moved) => {
  const { check, changes } = await judge("2026.0", asked);
  expect(check.ruleset).toBe("2026.0");
  expect(changes?.to.ruleset).toBe(to);
  expect(changes?.findings.map(({ id }) => id)).toEqual(moved);
});

test("what is broken is told, not judged", async () => {
  const evidence = Buffer.from("not packed");
  await expect(
    judgeAgain({ id: ID, evidence, language: "en", ruleset: undefined }),
  ).rejects.toThrow();
});
