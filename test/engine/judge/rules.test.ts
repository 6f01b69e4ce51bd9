import { describe, expect, it } from "vitest";
import { RULES } from "../../../server/engine/judge/rule-list.ts";
import { RULESET } from "../../../server/engine/judge/ruleset.ts";
import { judge } from "../../../server/engine/judge/score.ts";
import { CASES } from "./cases/all.ts";
import { cutHead, lastHop, refuseConnection, refuseDns, refuseHttp1 } from "./cases/page-edits.ts";
import { evidenceWith } from "./evidence-fixtures.ts";
import { listFaults } from "./finding-faults.ts";
import { getFinding, judgeBy } from "./finding-of.ts";

describe("rules", () => {
  it.each(CASES)("%s: %s (%s)", (id, status, _why, edit) => {
    const evidence = evidenceWith(edit);
    const finding = getFinding(id, evidence);
    expect(finding.status).toBe(status);
    expect(listFaults(evidence, finding, getFinding(id, evidence, "fr"))).toEqual([]);
  });

  it("have a case for each status and each grade, except those that a lost page causes for many", () => {
    const LOST = [refuseDns, refuseConnection, refuseHttp1, lastHop({ status: 403 }), cutHead];
    const shown = [
      ...CASES.map(([id, , , edit]) => judgeBy(id, evidenceWith(edit))),
      ...LOST.map((edit) => judge(evidenceWith(edit))),
    ].flatMap(({ rows }) =>
      rows.map(({ row, judgement: { status, grade } }) => `${row.id}: ${grade ?? status}`),
    );
    const possible = RULESET.rows.flatMap(({ id, statuses, partial }) =>
      [...statuses.filter((status) => status !== "partial"), ...Object.keys(partial)].map(
        (outcome) => `${id}: ${outcome}`,
      ),
    );
    expect(possible.filter((one) => !shown.includes(one))).toEqual([]);
  });

  it("have texts for each part in both languages", () => {
    for (const { id, title, measures, why, fix, standard } of RULES) {
      for (const words of [title, measures, why, fix]) {
        expect(words.fr.length, id).toBeGreaterThan(3);
        expect(words.en.length, id).toBeGreaterThan(3);
      }
      expect(standard.url, id).toMatch(/^https:\/\//);
    }
  });
});
