import { describe, expect, it } from "vitest";
import { scoreEvidence } from "../../../server/engine/judge/score.ts";
import { evidenceWith } from "./evidence-fixtures.ts";
import type { Edit } from "./cases/rule-case.ts";
import { FIX_CASES } from "./fix-cases.ts";

function getFinding(id: string, edit: Edit, language: "fr" | "en") {
  const { findings } = scoreEvidence(evidenceWith(edit), language);
  const finding = findings.find((one) => one.id === id);
  if (!finding) throw new Error(`no finding for ${id}`);
  return finding;
}

describe("a finding says what was seen, and the fix for it", () => {
  it.each(FIX_CASES)("%s: %s", (id, _why, edit, seen, fix) => {
    for (const language of ["fr", "en"] as const) {
      const finding = getFinding(id, edit, language);
      expect(finding.evidence).toMatch(seen);
      expect(finding.fix).toMatch(fix);
    }
  });
});
