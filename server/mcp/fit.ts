import type { Language, Text } from "../base/language.ts";
import type { ToolResult } from "./tool.ts";
import { writeLines } from "./words.ts";

/** A result is under 20,000 characters of JSON; the rest is for what the protocol adds to it. */
const MAX_CHARACTERS = 19_500;

const fits = ({ text, structured }: ToolResult<unknown>) =>
  JSON.stringify({ content: [{ type: "text", text }], structuredContent: structured }).length <=
  MAX_CHARACTERS;

/** The result that `make` gives for the greatest amount from 1 to `most` with which it is short enough. */
export function fitResult<Output>(
  most: number,
  make: (amount: number) => ToolResult<Output>,
): ToolResult<Output> {
  const whole = make(most);
  if (fits(whole)) return whole;
  let best = make(1);
  for (let low = 2, high = most - 1; low <= high;) {
    const middle = Math.floor((low + high) / 2);
    const result = make(middle);
    if (fits(result)) [best, low] = [result, middle + 1];
    else high = middle - 1;
  }
  return best;
}

interface ListWords<Item> {
  readonly nothing: Text;
  readonly heading: readonly Text[];
  readonly describe: (item: Item) => Text;
}

/** The result with as many items of a list as fit, from the first on, and how many were left out. */
export const fitList = <Item, Output>(
  items: readonly Item[],
  { nothing, heading, describe }: ListWords<Item>,
  language: Language,
  structure: (shown: Item[], rest: { omitted?: number }) => Output,
): ToolResult<Output> =>
  fitResult(items.length, (count) => {
    const shown = items.slice(0, count);
    const omitted = items.length - count;
    const more = { fr: `Et ${omitted} de plus.`, en: `And ${omitted} more.` };
    const lines = [...heading, ...shown.map(describe), ...(omitted > 0 ? [more] : [])];
    return {
      structured: structure(shown, omitted > 0 ? { omitted } : {}),
      text: writeLines(items.length === 0 ? [nothing] : lines, language),
    };
  });
