import { describe, expect, it } from "vitest";
import { RULES } from "../../server/judge/rule-list.ts";
import { RULESET } from "../../server/judge/ruleset.ts";
import { judge, type Judged, scoreOf } from "../../server/judge/score.ts";
import { CASES } from "./cases/all.ts";
import type { RuleCase } from "./cases/rule-case.ts";
import { evidenceWith } from "./evidence-fixtures.ts";

/** What was judged of each case, once for all that is asked of it. */
const judgedCases = new Map<RuleCase[3], Judged>();

function getFinding(id: string, edit: RuleCase[3], language: "fr" | "en") {
  const judged = judgedCases.get(edit) ?? judge(evidenceWith(edit));
  judgedCases.set(edit, judged);
  const { findings } = scoreOf(judged, language);
  const finding = findings.find((one) => one.id === id);
  if (!finding) throw new Error(`no finding for ${id}`);
  return finding;
}

/** Words of JavaScript's, which are a rule's own fault unless the site said them. */
const SLIP = /undefined|NaN|\[object/;

describe("rules", () => {
  it.each(CASES)("%s: %s (%s)", (id, status, _why, edit) => {
    const finding = getFinding(id, edit, "en");
    expect(finding.status).toBe(status);
    expect(finding.evidence).not.toBe("");
    if (!SLIP.test(JSON.stringify(evidenceWith(edit)))) expect(finding.evidence).not.toMatch(SLIP);
    if (status === "fail") expect(finding.earned).toBe(0);
    if (status === "fail" || status === "partial") expect(finding.fix).not.toBe("");
    if (status === "pass" || status === "not_applicable") {
      expect(finding.earned).toBe(finding.points);
      expect(finding.fix).toBe("");
    }
    if (status === "partial") {
      expect(finding.earned).toBeGreaterThan(0);
      expect(finding.earned).toBeLessThan(finding.points);
    }
  });

  it("speak French and English, but for what the site says", () => {
    for (const [id, , , edit] of CASES) {
      const [french, english] = [getFinding(id, edit, "fr"), getFinding(id, edit, "en")];
      expect(french.title).not.toBe(english.title);
      if (english.fix !== "") expect(french.fix).not.toBe(english.fix);
      expect({ ...french, title: "", evidence: "", fix: "" }).toEqual({
        ...english,
        title: "",
        evidence: "",
        fix: "",
      });
    }
  });

  it("have a case for each status of their row, and no other", () => {
    for (const { id, statuses } of RULESET.rows) {
      const covered = new Set(CASES.filter(([other]) => other === id).map(([, status]) => status));
      expect({ id, statuses: [...covered].toSorted() }).toEqual({
        id,
        statuses: statuses.toSorted(),
      });
    }
  });

  it("reach every grade of their row", () => {
    for (const { id, partial } of RULESET.rows) {
      const cases = CASES.filter(([other, status]) => other === id && status === "partial");
      const earned = new Set(cases.map(([, , , edit]) => getFinding(id, edit, "en").earned));
      expect({ id, earned: [...earned].toSorted((a, b) => a - b) }).toEqual({
        id,
        earned: Object.values(partial).toSorted((a, b) => a - b),
      });
    }
  });

  it("have words for each part in both languages", () => {
    for (const { id, title, measures, matters, fix, standard } of RULES) {
      for (const words of [title, measures, matters, fix]) {
        expect(words.fr.length, id).toBeGreaterThan(3);
        expect(words.en.length, id).toBeGreaterThan(3);
      }
      expect(standard.url, id).toMatch(/^https:\/\//);
    }
  });
});
