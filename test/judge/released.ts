import { createHash } from "node:crypto";
import { LANGUAGES } from "../../server/language.ts";
import type { Evidence } from "../../server/evidence/evidence.ts";
import type { Ruleset } from "../../server/judge/ruleset.ts";
import { judgeRows, scoreEvidence } from "../../server/judge/score.ts";

/** The evidence of every case that a rule had when its ruleset was released, with the rule's id. */
export type ReleasedCases = readonly (readonly [ruleId: string, evidence: Evidence])[];

/** The line to paste is left out: findings have gained it since, and no sentence depends on it. */
const withoutLine = (key: string, value: unknown): unknown =>
  key === "fixLine" ? undefined : value;

/** A digest of all that a ruleset says of each rule's cases, in both languages. */
export function digestRules(ruleset: Ruleset, cases: ReleasedCases): Record<string, string> {
  const digests = ruleset.rows.map(({ id }): [string, string] => {
    const hash = createHash("sha256");
    for (const [, evidence] of cases.filter(([other]) => other === id)) {
      const judged = judgeRows(evidence, ruleset);
      for (const language of LANGUAGES)
        hash.update(
          JSON.stringify(scoreEvidence(evidence, language, ruleset, judged), withoutLine),
        );
    }
    return [id, hash.digest("hex").slice(0, 16)];
  });
  return Object.fromEntries(digests);
}
