import type { Text } from "../../shared/language.ts";
import { CATEGORY_IDS, CATEGORY_OF, findNearest, POINTS_OF, RULE_IDS } from "../rules/rule-ids.ts";
import { type CliError, suggest, usageError } from "../terminal/errors.ts";
import type { Io } from "../terminal/io.ts";
import { describePoints, say } from "../../shared/report/words.ts";

const RULE_ID = /^[a-z0-9-]+\.[a-z0-9.-]+$/;

const REMOVED = new Map<string, Text>([
  [
    "html.basics",
    {
      fr: "asset.blocked a repris ses points et son plafond ; html.doctype, html.title, html.viewport et les règles hdr évaluent le reste.",
      en: "asset.blocked has taken over its points and cap; html.doctype, html.title, html.viewport and the hdr rules assess the rest.",
    },
  ],
]);

function refuseRemoved(word: string): void {
  const advice = REMOVED.get(word);
  if (advice !== undefined)
    throw usageError(
      { fr: `la règle « ${word} » n'existe plus`, en: `there is no longer a rule '${word}'` },
      advice,
    );
}

const CATEGORIES = CATEGORY_IDS.join(", ");

type Kind = "category" | "rule" | "any";

const describeUnknown = (word: string): Readonly<Record<Kind, Text>> => ({
  category: {
    fr: `il n'y a pas de catégorie « ${word} »`,
    en: `there is no category '${word}'`,
  },
  rule: { fr: `il n'y a pas de règle « ${word} »`, en: `there is no rule '${word}'` },
  any: {
    fr: `il n'y a ni règle ni catégorie « ${word} »`,
    en: `there is no rule or category '${word}'`,
  },
});

function unknownIdError(kind: Kind, word: string, ids: readonly string[], advice: Text): CliError {
  const nearest = findNearest(word.toLowerCase(), ids);
  return usageError(describeUnknown(word)[kind], nearest === undefined ? advice : suggest(nearest));
}

export function checkMinimum(id: string, least: number): void {
  const points = CATEGORY_IDS.includes(id) ? POINTS_OF[id] : undefined;
  if (points === undefined)
    throw unknownIdError("category", id, CATEGORY_IDS, {
      fr: `Catégories possibles : ${CATEGORIES}`,
      en: `Use one of ${CATEGORIES}`,
    });
  if (least > points)
    throw usageError(
      {
        fr: `${id} vaut ${describePoints(points, "fr")} points, et ne peut donc pas en rapporter ${describePoints(least, "fr")}`,
        en: `${id} is worth ${points} points, so it can never earn ${least}`,
      },
      {
        fr: `Indiquez ${describePoints(points, "fr")} au plus`,
        en: `Use at most ${points}`,
      },
    );
}

/** A newer server may have the rule. An id one or two letters away from a known rule is mistyped. */
function isPlausible(word: string): boolean {
  return RULE_ID.test(word) && findNearest(word, RULE_IDS) === undefined;
}

function refuseCategory(word: string): void {
  const rules = RULE_IDS.filter((id) => CATEGORY_OF[id] === word);
  if (rules.length > 0)
    throw usageError(
      { fr: `« ${word} » est une catégorie`, en: `'${word}' is a category` },
      {
        fr: `Indiquez une de ses règles : ${rules.join(", ")}`,
        en: `Use one of its rules: ${rules.join(", ")}`,
      },
    );
}

export function readKnownRuleId(word: string): string {
  refuseRemoved(word);
  if (RULE_IDS.includes(word)) return word;
  refuseCategory(word);
  const nearest = findNearest(word.toLowerCase(), RULE_IDS, Number.POSITIVE_INFINITY);
  throw unknownIdError("rule", word, RULE_IDS, {
    fr: `La plus proche que connaît cette commande est ${nearest}`,
    en: `The closest that this command knows is ${nearest}`,
  });
}

export function readRuleId(word: string): string {
  refuseRemoved(word);
  if (RULE_IDS.includes(word) || isPlausible(word)) return word;
  refuseCategory(word);
  throw unknownIdError("rule", word, RULE_IDS, {
    fr: "Indiquez l'identifiant d'une règle, par exemple hdr.csp",
    en: "Use a rule's ID, such as hdr.csp",
  });
}

export function readId(word: string): string {
  refuseRemoved(word);
  if (RULE_IDS.includes(word) || CATEGORY_IDS.includes(word) || isPlausible(word)) return word;
  const advice = {
    fr: `Indiquez une règle, par exemple hdr.csp, ou une catégorie : ${CATEGORIES}`,
    en: `Use a rule, such as hdr.csp, or a category: ${CATEGORIES}`,
  };
  if (word.includes(".")) throw unknownIdError("rule", word, RULE_IDS, advice);
  throw unknownIdError("any", word, [...CATEGORY_IDS, ...RULE_IDS], advice);
}

export async function noteUnknownIds(io: Io, ids: Iterable<string>): Promise<void> {
  for (const id of ids) {
    if (RULE_IDS.includes(id) || CATEGORY_IDS.includes(id)) continue;
    const note = {
      fr: `cette commande ne connaît pas ${id}, mais son serveur le connaît peut-être.`,
      en: `this command does not know ${id}, but its server may.`,
    };
    await io.note(`shipscore: ${say(note, io.language)}`);
  }
}
