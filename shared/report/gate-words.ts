import type { Condition, Gate } from "./gate.ts";
import type { ReportLanguage, Words } from "./reported.ts";
import { describePoints, describeUnchecked, describeVerdict, isSingular, say } from "./words.ts";

/** What a score is compared with. */
export type Reference = "lastShip" | "baseline";

const REFERENCES: Readonly<Record<Reference, Words>> = {
  lastShip: { fr: "la dernière livraison", en: "the last ship" },
  baseline: { fr: "la référence", en: "the baseline" },
};

/** What the conditions of a gate say, in both languages. A French text is set by `say`. */
export const GATE_WORDS = {
  met: { fr: "remplie : ", en: "met: " },
  unmet: { fr: "non remplie : ", en: "not met: " },
  total: (met: number, all: number): Words => ({
    fr: `Seuil : ${met} ${isSingular(met, "fr") ? "condition remplie" : "conditions remplies"} sur ${all}`,
    en: `Gate: ${met} of ${all} ${isSingular(all, "en") ? "condition" : "conditions"} met`,
  }),

  score: (score: number, least: number): Words => ({
    fr: `score ${score}, minimum ${least}`,
    en: `score ${score}, minimum ${least}`,
  }),
  scoreSeen: (score: number, why: Words): Words => ({
    fr: ` ; ${score} sans ce qui n'a pas été vérifié : ${why.fr}`,
    en: `; ${score} without what was not checked: ${why.en}`,
  }),
  scoreOpen: (most: number, why: Words): Words => ({
    fr: ` ; jusqu'à ${most} une fois tout vérifié : ${why.fr}`,
    en: `; up to ${most} once all is checked: ${why.en}`,
  }),

  category: (id: string, earned: number, points: number, least: number): Words => ({
    fr: `${id} ${describePoints(earned, "fr")} sur ${describePoints(points, "fr")}, minimum ${describePoints(least, "fr")}`,
    en: `${id} ${describePoints(earned)} of ${describePoints(points)}, minimum ${least}`,
  }),
  categoryDoubt: (points: number, why: Words): Words => ({
    fr: ` ; ${describeUnchecked(points, "fr")} : ${why.fr}`,
    en: `; ${describeUnchecked(points, "en")}: ${why.en}`,
  }),
  noCategory: (id: string): Words => ({
    fr: `ce résultat n'a pas de catégorie ${id}`,
    en: `${id} is no category of this result`,
  }),

  passes: (id: string): Words => ({ fr: `exigence ${id} : réussie`, en: `required ${id}: pass` }),
  mustPass: (id: string, seen: Words): Words => ({
    fr: `exigence ${id} : ${seen.fr}`,
    en: `required ${id}: ${seen.en}`,
  }),
  notChecked: (id: string, why: Words): Words => ({
    fr: `${id} non vérifié : ${why.fr}`,
    en: `${id} not checked: ${why.en}`,
  }),
  noFinding: (id: string): Words => ({
    fr: `ce résultat n'a ni règle ni catégorie ${id}`,
    en: `${id} is no finding and no category of this result`,
  }),

  drop: (score: number, before: number, most: number): Words => ({
    fr: `score ${score} après ${before}, baisse maximale ${most}`,
    en: `score ${score} after ${before}, maximum drop ${most}`,
  }),
  noBaseline: (why: Words): Words => ({
    fr: `rien à quoi comparer, car ${why.fr}`,
    en: `no baseline to compare with, since ${why.en}`,
  }),
  neverShipped: { fr: "rien n'a encore été livré", en: "nothing was shipped yet" },
  notInBaseline: {
    fr: "la référence n'a pas cette page",
    en: "the baseline does not have this page",
  },
  noScore: (reference: Reference): Words => ({
    fr: `${REFERENCES[reference].fr} n'a pas encore de score`,
    en: `${REFERENCES[reference].en} has no score yet`,
  }),
  noVerdict: (reference: Reference, verdict: string): Words => ({
    fr: `le verdict de ${REFERENCES[reference].fr} est ${describeVerdict(verdict, "fr").toLowerCase()}`,
    en: `${REFERENCES[reference].en}'s verdict is ${verdict}`,
  }),
  otherRuleset: (reference: Reference, before: string | null, now: string): Words => ({
    fr: `${REFERENCES[reference].fr} a été jugée selon les règles ${before}, non ${now}`,
    en: `${REFERENCES[reference].en} was judged by ruleset ${before}, not ${now}`,
  }),

  newFindings: (ids: readonly string[]): Words =>
    ids.length === 0
      ? { fr: "rien de nouveau depuis la référence", en: "nothing new since the baseline" }
      : {
          fr: `${ids.length} nouveau${isSingular(ids.length, "fr") ? "" : "x"} depuis la référence, aucun admis : ${ids.join(", ")}`,
          en: `${ids.length} new since the baseline, none allowed: ${ids.join(", ")}`,
        },
  unseen: (count: number): Words => ({
    fr: ` ; ${describeUnchecked(count, "fr")}`,
    en: `; ${describeUnchecked(count, "en")}`,
  }),

  undecided: (verdict: string): Words => ({
    fr: `verdict ${describeVerdict(verdict, "fr").toLowerCase()}, qui ne décide de rien`,
    en: `verdict ${verdict}, which decides nothing`,
  }),
} as const;

/** `Gate: 2 of 3 conditions met`; empty without conditions. */
export function describeGates(gates: readonly Gate[], language: ReportLanguage): string {
  const conditions = gates.flatMap((gate) => gate.conditions);
  const met = conditions.filter(({ isMet }) => isMet);
  return conditions.length === 0
    ? ""
    : say(GATE_WORDS.total(met.length, conditions.length), language);
}

export function describeCondition(
  { isMet, text }: Condition,
  language: ReportLanguage = "en",
): string {
  return say(isMet ? GATE_WORDS.met : GATE_WORDS.unmet, language) + text;
}
