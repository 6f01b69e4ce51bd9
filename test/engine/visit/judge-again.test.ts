import { expect, test } from "vitest";
import { packEvidence } from "../../../server/engine/evidence/packed-evidence.ts";
import { RULESET } from "../../../server/engine/judge/ruleset.ts";
import { judgeAgain } from "../../../server/engine/visit/judge-again.ts";
import { evidenceWith } from "../judge/evidence-fixtures.ts";
import { OLDER, WITH_OLDER } from "../judge/older-ruleset.ts";

const ID = "chk_00000000000000000001";
const EVIDENCE = evidenceWith(({ assets }) => {
  for (const asset of assets.slice(1)) Object.assign(asset, { status: 404, kind: "icon" });
});

const judge = async (own: string, ruleset?: string) => {
  const evidence = await packEvidence(EVIDENCE, { ruleset: own, language: "fr" });
  const judged = await judgeAgain({ id: ID, evidence, language: "en", ruleset }, WITH_OLDER);
  return judged!;
};

test.each([
  ["its own ruleset", OLDER.version, OLDER.version],
  ["the newest, if a newer program judged it", "2999.1", RULESET.version],
])("stored evidence is assessed by %s", async (_, own, by) => {
  const { check, changes, rulesets } = await judge(own);
  expect(rulesets).toEqual([RULESET.version, OLDER.version]);
  expect([check.id, check.url, check.ruleset]).toEqual([ID, EVIDENCE.url, by]);
  expect(changes).toBeUndefined();
});

const NEW = RULESET.rows
  .map(({ id }) => id)
  .filter((id) => !OLDER.rows.some((row) => row.id === id));

test.each<[asked: string, to: string | undefined, moved: string[] | undefined]>([
  ["1999.1", undefined, undefined],
  [OLDER.version, OLDER.version, []],
  [RULESET.version, RULESET.version, ["reach.dns", "asset.broken", ...NEW]],
])("under %s the differences are reported next to it", async (asked, to, moved) => {
  const { check, changes } = await judge(OLDER.version, asked);
  expect(check.ruleset).toBe(OLDER.version);
  expect(changes?.to.ruleset).toBe(to);
  expect(changes?.findings.map(({ id }) => id)).toEqual(moved);
});

test("evidence of another version is not assessed", async () => {
  const older = { ...EVIDENCE, version: 2 as never };
  const evidence = await packEvidence(older, { ruleset: RULESET.version, language: "fr" });
  expect(await judgeAgain({ id: ID, evidence, language: "en" })).toBeNull();
});

test("broken evidence is reported, not assessed", async () => {
  const evidence = Buffer.from("not packed");
  await expect(
    judgeAgain({ id: ID, evidence, language: "en", ruleset: undefined }),
  ).rejects.toThrow();
});
