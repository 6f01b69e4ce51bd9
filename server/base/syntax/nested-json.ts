const MAX_DEPTH = 64;
/** No provider's event has so many members and lists; more would block the thread. Other values in lists cost little. */
const MAX_MEMBERS = 10_000;

/** Reads each character once. */
function exceedsLimits(text: string): boolean {
  let depth = 0;
  let members = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    if (isInString && character === "\\") index++;
    else if (character === '"') isInString = !isInString;
    else if (isInString) continue;
    else if (character === ":") members++;
    else if (character === "{" || character === "[") [depth, members] = [depth + 1, members + 1];
    else if (character === "}" || character === "]") depth--;
    if (depth > MAX_DEPTH || members > MAX_MEMBERS) return true;
  }
  return false;
}

export function parseJson(text: string): unknown {
  if (exceedsLimits(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
