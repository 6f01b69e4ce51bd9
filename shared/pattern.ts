/** `*` means any characters. Takes linear time. */
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

/** `/%C3%A9t%C3%A9/*` for `/été/*`. */
export function encodePath(pattern: string): string {
  // The added slash, removed again, lets a pattern begin with `*`.
  const { pathname, search } = new URL(`https://any.invalid/${pattern}`);
  return pathname.slice(1) + search;
}

/** Tests an encoded path and query against patterns such as `/docs/*`. */
export function matcherOf(patterns: readonly string[]): (path: string) => boolean {
  const spelled = patterns.map(encodePath);
  return (path) => spelled.some((pattern) => matchesGlob(pattern, path));
}
