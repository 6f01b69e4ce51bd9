import { countEdits } from "../../shared/edits.ts";
import ids from "./ids.json" with { type: "json" };
import points from "./points.json" with { type: "json" };

/** From the ruleset that this command knows. */
export const CATEGORY_OF: Readonly<Record<string, string>> = ids;

export const POINTS_OF: Readonly<Record<string, number>> = points;

export const RULE_IDS: readonly string[] = Object.keys(ids);
export const CATEGORY_IDS: readonly string[] = Object.keys(points);

const COLUMNS = 80;
const INDENT = 15;

export function formatRuleIds(): string {
  const lines = CATEGORY_IDS.flatMap((category) => {
    const own = [`  ${category}`.padEnd(INDENT)];
    for (const id of RULE_IDS.filter((each) => CATEGORY_OF[each] === category)) {
      const line = own.at(-1) ?? "";
      if (line.length + id.length + 1 > COLUMNS) own.push(`${" ".repeat(INDENT)}${id} `);
      else own[own.length - 1] = `${line}${id} `;
    }
    return own.map((line) => line.trimEnd());
  });
  return lines.join("\n");
}

const MAX_EDITS = 2;

export function findNearest(
  wanted: string,
  words: readonly string[],
  maxEdits = MAX_EDITS,
): string | undefined {
  const near = words.map((word) => ({ word, edits: countEdits(wanted, word) }));
  return near
    .filter(({ edits }) => edits <= maxEdits)
    .toSorted((one, other) => one.edits - other.edits)[0]?.word;
}
