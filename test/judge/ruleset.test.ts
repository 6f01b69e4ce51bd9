import { describe, expect, test } from "vitest";
import { RULES } from "../../server/judge/rule-list.ts";
import { findRuleset, loadRuleset, RULESET, RULESETS } from "../../server/judge/ruleset.ts";
import data from "../../server/judge/rulesets/2026.2.json" with { type: "json" };

type File = typeof data;
const rowOf = (file: File, id: string) => {
  const row = file.rules.find((one) => one.id === id);
  if (!row) throw new Error(`no row ${id}`);
  return row;
};

describe("a ruleset is not loaded when", () => {
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
      "a rule has no row",
      (file) => void (file.rules = file.rules.filter(({ id }) => id !== "hdr.permissions")),
      "hdr.permissions missing",
    ],
    [
      "a cap has no reason",
      (file) => void (rowOf(file, "hdr.csp").cap = 59),
      "hdr.csp has a cap without its reason",
    ],
    [
      "a grade is worth a pass",
      (file) => void (rowOf(file, "hdr.hsts").partial = { short: 4 }),
      "hdr.hsts has a grade worth as much as a pass",
    ],
    ["its version is no version", (file) => void (file.version = "next"), "version"],
  ])("%s", (_why, edit, fault) => {
    const file = structuredClone(data);
    edit(file);
    expect(() => loadRuleset(file, RULES)).toThrow(fault);
  });
});

test("the newest ruleset is in force, and each is found by its version", () => {
  const versions = RULESETS.map(({ version }) => version);
  expect(versions).toEqual(["2026.0", "2026.1", "2026.2"]);
  expect(RULESET.version).toBe("2026.2");
  for (const version of versions) expect(findRuleset(version)?.version).toBe(version);
});
