import { loadRuleset, RULESETS } from "../../../server/engine/judge/ruleset.ts";
import { fail, pass } from "../../../server/engine/judge/rule.ts";
import { brokenAssets } from "../../../server/engine/judge/rules/asset-broken.ts";
import { dns } from "../../../server/engine/judge/rules/reach-connection.ts";

/** A made-up ruleset of the past: one rule of today's with other points, and one that judged more strictly. */
export const OLDER = loadRuleset(
  {
    version: "2025.1",
    rules: [
      { id: dns.id, category: "reach", points: 40, cap: 0, partial: {}, statuses: [] },
      { id: brokenAssets.id, category: "assets", points: 60, cap: null, partial: {}, statuses: [] },
    ],
  },
  [
    dns,
    {
      ...brokenAssets,
      title: { fr: "Tous les fichiers répondent", en: "All files answer" },
      judge: ({ assets }) => {
        const missing = assets.filter(({ status }) => status === 404).length;
        const seen = { fr: `Fichiers manquants : ${missing}.`, en: `Missing files: ${missing}.` };
        return missing === 0 ? pass(seen) : fail(seen);
      },
    },
  ],
);

export const WITH_OLDER = [OLDER, ...RULESETS] as const;
