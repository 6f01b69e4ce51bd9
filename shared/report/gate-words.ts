import type { Language, Text } from "../language.ts";
import type { Condition, Gate } from "./gate.ts";

import { describePoints, describeUnchecked, describeVerdict, isSingular, say } from "./words.ts";

export type Reference = "lastShip" | "baseline";

interface ReferenceWords extends Text {
  /** In French, the participle agrees with the noun. */
  readonly assessed: Text;
}

const REFERENCES: Readonly<Record<Reference, ReferenceWords>> = {
  lastShip: {
    fr: "le dernier déploiement en production",
    en: "the last production deployment",
    assessed: { fr: "a été évalué", en: "was assessed" },
  },
  baseline: {
    fr: "la référence",
    en: "the baseline",
    assessed: { fr: "a été évaluée", en: "was assessed" },
  },
};

/** `say` typesets them. */
export const GATE_WORDS = {
  met: { fr: "remplie : ", en: "met: " },
  unmet: { fr: "non remplie : ", en: "not met: " },
  total: (met: number, all: number): Text => ({
    fr: `Conditions : ${met} ${isSingular(met, "fr") ? "remplie" : "remplies"} sur ${all}`,
    en: `Gate: ${met} of ${all} ${isSingular(all, "en") ? "condition" : "conditions"} met`,
  }),

  score: (score: number, least: number): Text => ({
    fr: `score ${score}, minimum ${least}`,
    en: `score ${score}, minimum ${least}`,
  }),
  scoreSeen: (score: number, why: Text): Text => ({
    fr: ` ; ${score} sans ce qui n'a pas été vérifié : ${why.fr}`,
    en: `; ${score} without what was not checked: ${why.en}`,
  }),
  scoreOpen: (most: number, why: Text): Text => ({
    fr: ` ; jusqu'à ${most} quand tout aura été vérifié : ${why.fr}`,
    en: `; up to ${most} once everything is checked: ${why.en}`,
  }),

  category: (id: string, earned: number, points: number, least: number): Text => ({
    fr: `${id} ${describePoints(earned, "fr")} sur ${describePoints(points, "fr")}, minimum ${describePoints(least, "fr")}`,
    en: `${id} ${describePoints(earned)} of ${describePoints(points)}, minimum ${least}`,
  }),
  categoryDoubt: (points: number, why: Text): Text => ({
    fr: ` ; ${describeUnchecked(points, "fr")} : ${why.fr}`,
    en: `; ${describeUnchecked(points, "en")}: ${why.en}`,
  }),
  noCategory: (id: string): Text => ({
    fr: `ce résultat n'a pas de catégorie ${id}`,
    en: `this result has no category ${id}`,
  }),

  passes: (id: string): Text => ({
    fr: `${id} (obligatoire) : réussie`,
    en: `required ${id}: pass`,
  }),
  mustPass: (id: string, seen: Text): Text => ({
    fr: `${id} (obligatoire) : ${seen.fr}`,
    en: `required ${id}: ${seen.en}`,
  }),
  notChecked: (id: string, why: Text): Text => ({
    fr: `${id} non vérifiée : ${why.fr}`,
    en: `${id} not checked: ${why.en}`,
  }),
  noFinding: (id: string): Text => ({
    fr: `ce résultat n'a ni règle ni catégorie ${id}`,
    en: `this result has no rule and no category ${id}`,
  }),

  drop: (score: number, before: number, most: number): Text => ({
    fr: `score ${score}, contre ${before} avant ; baisse maximale ${most}`,
    en: `score ${score}, was ${before}; maximum drop ${most}`,
  }),
  noBaseline: (why: Text): Text => ({
    fr: `comparaison impossible, car ${why.fr}`,
    en: `no baseline to compare with, since ${why.en}`,
  }),
  neverShipped: {
    fr: "rien n'a encore été déployé en production",
    en: "nothing has been deployed to production yet",
  },
  notInBaseline: {
    fr: "la référence ne contient pas cette page",
    en: "the baseline does not include this page",
  },
  noScore: (reference: Reference): Text => ({
    fr: `${REFERENCES[reference].fr} n'a pas encore de score`,
    en: `${REFERENCES[reference].en} has no score yet`,
  }),
  noVerdict: (reference: Reference, verdict: string): Text => ({
    fr: `${REFERENCES[reference].fr} a pour verdict « ${describeVerdict(verdict, "fr").toLowerCase()} »`,
    en: `${REFERENCES[reference].en} has the verdict ${verdict}`,
  }),
  otherRuleset: (reference: Reference, before: string | null, now: string): Text => ({
    fr: `${REFERENCES[reference].fr} ${REFERENCES[reference].assessed.fr} selon les règles ${before}, et non ${now}`,
    en: `${REFERENCES[reference].en} ${REFERENCES[reference].assessed.en} with ruleset ${before}, not ${now}`,
  }),

  newFindings: (ids: readonly string[]): Text =>
    ids.length === 0
      ? { fr: "rien de nouveau depuis la référence", en: "nothing new since the baseline" }
      : {
          fr: `${ids.length} ${isSingular(ids.length, "fr") ? "nouveau constat" : "nouveaux constats"} depuis la référence, alors qu'aucun n'est autorisé : ${ids.join(", ")}`,
          en: `${ids.length} new since the baseline, none allowed: ${ids.join(", ")}`,
        },
  unseen: (count: number): Text => ({
    fr: ` ; ${describeUnchecked(count, "fr")}`,
    en: `; ${describeUnchecked(count, "en")}`,
  }),

  undecided: (verdict: string): Text => ({
    fr: `verdict « ${describeVerdict(verdict, "fr").toLowerCase()} » : impossible de savoir si les conditions sont remplies`,
    en: `verdict ${verdict}, so nothing can be decided`,
  }),
} as const;

/** `Gate: 2 of 3 conditions met`. */
export function describeGates(gates: readonly Gate[], language: Language): string {
  const conditions = gates.flatMap((gate) => gate.conditions);
  const met = conditions.filter(({ isMet }) => isMet);
  return conditions.length === 0
    ? ""
    : say(GATE_WORDS.total(met.length, conditions.length), language);
}

export function describeCondition({ isMet, text }: Condition, language: Language = "en"): string {
  return say(isMet ? GATE_WORDS.met : GATE_WORDS.unmet, language) + text;
}
