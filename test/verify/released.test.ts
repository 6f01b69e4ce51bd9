import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { LANGUAGES } from "../../server/language.ts";
import { RULESETS, type Ruleset } from "../../server/verify/ruleset.ts";
import { scoreEvidence } from "../../server/verify/score.ts";
import { CASES } from "./cases/all.ts";
import { evidenceWith } from "./evidence-fixtures.ts";

/** A digest of all that a ruleset says of each rule's cases, in both languages. */
function digestRules(ruleset: Ruleset): Record<string, string> {
  const digests = ruleset.rows.map(({ id }): [string, string] => {
    const hash = createHash("sha256");
    for (const [, , , edit] of CASES.filter(([other]) => other === id))
      for (const language of LANGUAGES)
        hash.update(JSON.stringify(scoreEvidence(evidenceWith(edit), language, ruleset)));
    return [id, hash.digest("hex").slice(0, 16)];
  });
  return Object.fromEntries(digests);
}

/*
 * What a released ruleset says never changes, in points or in words: where one of these does, give the old ruleset the
 * rule's former self, and the change a ruleset of its own. New cases of a rule change its digest too.
 */
test.each(RULESETS)("ruleset $version says what it said", async (ruleset) => {
  const digests = `${JSON.stringify(digestRules(ruleset), undefined, 2)}\n`;
  await expect(digests).toMatchFileSnapshot(`released/${ruleset.version}.json`);
});
