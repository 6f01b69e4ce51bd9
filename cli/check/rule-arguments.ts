import { CATEGORY_IDS, CATEGORY_OF, findNearest, POINTS_OF, RULE_IDS } from "../rules/rule-ids.ts";
import { type CliError, usageError } from "../terminal/errors.ts";
import type { Io } from "../terminal/io.ts";

const RULE_ID = /^[a-z0-9-]+\.[a-z0-9.-]+$/;

/** Rules that were, and what is judged in their place. */
const GONE = new Map([
  [
    "html.basics",
    "asset.blocked has its points and cap; html.doctype, html.title, html.viewport and the hdr rules judge what it did.",
  ],
]);

function refuseGone(word: string): void {
  const advice = GONE.get(word);
  if (advice !== undefined) throw usageError(`there is no rule '${word}' any more`, advice);
}

const CATEGORIES = `a category: ${CATEGORY_IDS.join(", ")}`;

function unknownId(kind: string, word: string, ids: readonly string[], advice: string): CliError {
  const nearest = findNearest(word.toLowerCase(), ids);
  return usageError(
    `there is no ${kind} '${word}'`,
    nearest === undefined ? advice : `Did you mean ${nearest}?`,
  );
}

/** Refuses a category that is unknown, or has fewer points than it should earn. @throws CliError 2 */
export function checkMinimum(id: string, least: number): void {
  const points = CATEGORY_IDS.includes(id) ? POINTS_OF[id] : undefined;
  if (points === undefined) throw unknownId("category", id, CATEGORY_IDS, `Give ${CATEGORIES}`);
  if (least > points)
    throw usageError(
      `${id} has ${points} points, so it never earns ${least}`,
      `Give at most ${points}`,
    );
}

/** An id of a rule that a newer server may have; those one or two letters away from a known rule are mistyped. */
function isPlausible(word: string): boolean {
  return RULE_ID.test(word) && findNearest(word, RULE_IDS) === undefined;
}

function refuseCategory(word: string): void {
  const rules = RULE_IDS.filter((id) => CATEGORY_OF[id] === word);
  if (rules.length > 0)
    throw usageError(`'${word}' is a category`, `Give one of its rules: ${rules.join(", ")}`);
}

/** The id of a rule that this command knows. @throws CliError 2, with the nearest one, for any other */
export function readKnownRuleId(word: string): string {
  refuseGone(word);
  if (RULE_IDS.includes(word)) return word;
  refuseCategory(word);
  const nearest = findNearest(word.toLowerCase(), RULE_IDS, Number.POSITIVE_INFINITY);
  throw unknownId("rule", word, RULE_IDS, `The nearest that this command knows is ${nearest}`);
}

/** The id of a rule, also of one that only the server may know. @throws CliError 2 for what is no rule */
export function readRuleId(word: string): string {
  refuseGone(word);
  if (RULE_IDS.includes(word) || isPlausible(word)) return word;
  refuseCategory(word);
  throw unknownId("rule", word, RULE_IDS, "Give the id of a rule, such as hdr.csp");
}

/** The id of a rule or of a category. @throws CliError 2 for what is neither */
export function readId(word: string): string {
  refuseGone(word);
  if (RULE_IDS.includes(word) || CATEGORY_IDS.includes(word) || isPlausible(word)) return word;
  const advice = `Give a rule, such as hdr.csp, or ${CATEGORIES}`;
  if (word.includes(".")) throw unknownId("rule", word, RULE_IDS, advice);
  throw unknownId("rule or category", word, [...CATEGORY_IDS, ...RULE_IDS], advice);
}

export async function noteUnknownIds(io: Io, ids: Iterable<string>): Promise<void> {
  for (const id of ids)
    if (!RULE_IDS.includes(id) && !CATEGORY_IDS.includes(id))
      await io.note(`shipscore: this command does not know ${id}, but its server may.`);
}
