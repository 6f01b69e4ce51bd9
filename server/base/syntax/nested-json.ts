const MAX_DEPTH = 64;

/** True if brackets outside strings open more than 64 levels; reads each character once. */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isInString = false;
  for (let place = 0; place < text.length; place++) {
    const character = text[place];
    if (isInString && character === "\\") place++;
    else if (character === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (character === "{" || character === "[") depth++;
    else if (character === "}" || character === "]") depth--;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

/** The value of a JSON text; undefined if it is none, or nested deeper than anything sensible. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
