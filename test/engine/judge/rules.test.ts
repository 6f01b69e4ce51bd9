import { describe, expect, it } from "vitest";
import { RULES } from "../../../server/engine/judge/rule-list.ts";
import { CASES } from "./cases/all.ts";
import { evidenceWith } from "./evidence-fixtures.ts";
import { listFaults } from "./finding-faults.ts";
import { getFinding } from "./finding-of.ts";

describe("rules", () => {
  it.each(CASES)("%s: %s (%s)", (id, status, _why, edit) => {
    const evidence = evidenceWith(edit);
    const finding = getFinding(id, evidence);
    expect(finding.status).toBe(status);
    expect(listFaults(evidence, finding, getFinding(id, evidence, "fr"))).toEqual([]);
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
