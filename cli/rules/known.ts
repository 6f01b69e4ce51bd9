import { countEdits } from "../../shared/edits.ts";
import ids from "./ids.json" with { type: "json" };

/** The category of each rule of the newest ruleset that this command knows, by the rule's id. */
export const CATEGORY_OF: Readonly<Record<string, string>> = ids;

export const RULE_IDS: readonly string[] = Object.keys(ids);
export const CATEGORY_IDS: readonly string[] = [...new Set(Object.values(ids))];

const MAX_EDITS = 2;

/** The one of these words that is at most two edits away, and nearest. */
export function findNearest(wanted: string, words: readonly string[]): string | undefined {
  const near = words.map((word) => ({ word, edits: countEdits(wanted, word) }));
  return near
    .filter(({ edits }) => edits <= MAX_EDITS)
    .toSorted((one, other) => one.edits - other.edits)[0]?.word;
}
