import type { Text } from "../base/language.ts";
import type { ToolResult } from "./tool.ts";

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

/** The first of a list, as many as fit. */
export interface Shown<Item> {
  readonly items: readonly Item[];
  /** What the structured result says of the others. */
  readonly rest: { readonly omitted?: number };
  /** What the text says of the others. */
  readonly restLines: readonly Text[];
}

/** The result with as many items of a list as fit, from the first on. */
export const fitList = <Item, Output>(
  items: readonly Item[],
  make: (shown: Shown<Item>) => ToolResult<Output>,
): ToolResult<Output> =>
  fitResult(items.length, (count) => {
    const omitted = items.length - count;
    if (omitted === 0) return make({ items, rest: {}, restLines: [] });
    const restLine = { fr: `Et ${omitted} de plus.`, en: `And ${omitted} more.` };
    return make({ items: items.slice(0, count), rest: { omitted }, restLines: [restLine] });
  });
