import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { RULES } from "../../../server/engine/judge/rule-list.ts";
import {
  findRuleset,
  loadRuleset,
  RULESET,
  RULESETS,
} from "../../../server/engine/judge/ruleset.ts";
import { scoreEvidence } from "../../../server/engine/judge/score.ts";
import { CASES } from "./cases/all.ts";
import { evidenceWith } from "./evidence-fixtures.ts";
import { OLDER, WITH_OLDER } from "./older-ruleset.ts";
import data from "../../../server/engine/judge/rulesets/2026.2.json" with { type: "json" };

type File = typeof data;
const rowOf = (file: File, id: string) => {
  const row = file.rules.find((one) => one.id === id);
  if (!row) throw new Error(`no row ${id}`);
  return row;
};

describe("a ruleset fails to load if", () => {
  test.each<[why: string, edit: (file: File) => void, fault: string]>([
    ["its points do not make 100", (file) => void (rowOf(file, "hdr.csp").points = 8), "make 101"],
    ["a point is finer than a half", (file) => void (rowOf(file, "hdr.csp").points = 6.9), "0.5"],
    [
      "a row names no rule",
      (file) => void (rowOf(file, "hdr.csp").id = "hdr.nonesuch"),
      "hdr.nonesuch is no rule",
    ],
    [
      "a row is there twice",
      (file) => void file.rules.push({ ...rowOf(file, "hdr.permissions") }),
      "hdr.permissions is no rule, or is there twice",
    ],
    [
      "a cap has no reason",
      (file) => void (rowOf(file, "hdr.csp").cap = 59),
      "hdr.csp has a cap without its reason",
    ],
    [
      "a grade is worth a pass",
      (file) => void Object.assign(rowOf(file, "hdr.hsts").partial, { short: 4 }),
      "hdr.hsts has a grade worth as much as a pass",
    ],
    ["its version is no version", (file) => void (file.version = "next"), "version"],
  ])("%s", (_why, edit, fault) => {
    const file = structuredClone(data);
    edit(file);
    expect(() => loadRuleset(file, RULES)).toThrow(fault);
  });
});

test("a rule newer than a ruleset is not part of it", () => {
  const file = structuredClone(data);
  const [row] = file.rules.splice(
    file.rules.findIndex(({ id }) => id === "hdr.permissions"),
    1,
  );
  rowOf(file, "hdr.csp").points += row?.points ?? 0;
  const { rows } = loadRuleset(file, RULES);
  expect(rows.map(({ id }) => id)).toEqual(file.rules.map(({ id }) => id));
});

describe("each rule", () => {
  const ids = RULES.map(({ id }) => id);

  test("has a row in the newest ruleset, and a reason only with its cap", () => {
    expect(RULESET.rows.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
    for (const { id, cap, rule } of RULESET.rows)
      expect({ id, hasReason: rule.capReason !== undefined }).toEqual({
        id,
        hasReason: cap !== null,
      });
  });

  test("has parents that are rules", () => {
    for (const [, , , edit] of CASES) {
      const evidence = evidenceWith(edit);
      expect(ids).toEqual(expect.arrayContaining(RULES.flatMap((rule) => rule.parents(evidence))));
    }
  });

  test("is in one file, whose name starts like its id", () => {
    const folder = new URL("../../../server/engine/judge/rules/", import.meta.url);
    const places = readdirSync(folder).flatMap((file) => {
      const source = readFileSync(new URL(file, folder), "utf8");
      return [...source.matchAll(/^  id: "(([a-z]+)\..+)",$/gm)].map(([, id, family]) => ({
        id,
        isNamed: file.startsWith(`${family}-`),
      }));
    });
    expect(new Map(places.map(({ id, isNamed }) => [id, isNamed]))).toEqual(
      new Map(ids.map((id) => [id, true])),
    );
    expect(places.length).toBe(ids.length);
  });
});

test("the newest ruleset is the default, and each is found by its version", () => {
  expect(RULESETS.map(({ version }) => version)).toEqual(["2026.2"]);
  expect(RULESET).toBe(findRuleset("2026.2"));
  for (const ruleset of WITH_OLDER) expect(findRuleset(ruleset.version, WITH_OLDER)).toBe(ruleset);
  expect(findRuleset(OLDER.version)).toBeUndefined();
});

test("an older ruleset uses its own rules, points and texts", () => {
  const evidence = evidenceWith(({ assets }) => {
    for (const asset of assets.slice(1)) Object.assign(asset, { status: 404, kind: "icon" });
  });
  expect(scoreEvidence(evidence, "en", OLDER)).toMatchObject({
    score: 40,
    ruleset: "2025.1",
    findings: [
      { id: "reach.dns", status: "pass", earned: 40 },
      { id: "asset.broken", status: "fail", title: "All files answer", points: 60 },
    ],
  });
});
