const MAX_DEPTH = 64;
/** No event of a provider has as many; more would hold the thread. */
const MAX_VALUES = 10_000;

/** True if a text opens more than 64 levels, or has more than 10,000 values; reads each character once. */
function isTooMuch(text: string): boolean {
  let depth = 0;
  let values = 0;
  let isInString = false;
  for (let place = 0; place < text.length; place++) {
    const character = text[place];
    if (isInString && character === "\\") place++;
    else if (character === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (character === ",") values++;
    else if (character === "{" || character === "[") [depth, values] = [depth + 1, values + 1];
    else if (character === "}" || character === "]") depth--;
    if (depth > MAX_DEPTH || values > MAX_VALUES) return true;
  }
  return false;
}

/** The value of a JSON text; undefined if it is none, or is nested deeper or has more values than anything sensible. */
export function parseJson(text: string): unknown {
  if (isTooMuch(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
