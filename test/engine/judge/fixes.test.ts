import { describe, expect, it } from "vitest";
import { evidenceWith } from "./evidence-fixtures.ts";
import { getFinding } from "./finding-of.ts";
import { FIX_CASES } from "./fix-cases.ts";

describe("a finding says what was seen, and the fix for it", () => {
  it.each(FIX_CASES)("%s: %s", (id, _why, edit, seen, fix) => {
    for (const language of ["fr", "en"] as const) {
      const finding = getFinding(id, evidenceWith(edit), language);
      expect(finding.evidence).toMatch(seen);
      expect(finding.fix).toMatch(fix);
    }
  });
});
