/** True where a text is what the pattern says, in which `*` stands for any characters. It takes linear time. */
export function matchesGlob(pattern: string, text: string): boolean {
  const [head = "", ...parts] = pattern.split("*");
  const tail = parts.pop();
  if (tail === undefined) return text === head;
  if (!text.startsWith(head)) return false;
  let at = head.length;
  for (const part of parts) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - tail.length >= at && text.endsWith(tail);
}

/** As URLs spell a path and its query: `/%C3%A9t%C3%A9/*` for `/été/*`. A slash before it keeps its own from being two. */
export function spellPath(pattern: string): string {
  const { pathname, search } = new URL(`https://any.invalid/${pattern}`);
  return pathname.slice(1) + search;
}

/**
 * Tells of a page's path and query, as its URL spells them, whether one of the patterns, such as `/docs/*`, is that of the
 * page.
 */
export function matcherOf(patterns: readonly string[]): (path: string) => boolean {
  const spelled = patterns.map(spellPath);
  return (path) => spelled.some((pattern) => matchesGlob(pattern, path));
}
