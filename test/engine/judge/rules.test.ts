import { describe, expect, it } from "vitest";
import { RULES } from "../../../server/engine/judge/rule-list.ts";
import { judge, type Judged, scoreOf } from "../../../server/engine/judge/score.ts";
import { CASES } from "./cases/all.ts";
import type { RuleCase } from "./cases/rule-case.ts";
import { evidenceWith } from "./evidence-fixtures.ts";
import { expectSound } from "./expect-sound.ts";

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

describe("rules", () => {
  it.each(CASES)("%s: %s (%s)", (id, status, _why, edit) => {
    const finding = getFinding(id, edit, "en");
    expect(finding.status).toBe(status);
    expectSound(evidenceWith(edit), finding, getFinding(id, edit, "fr"));
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
