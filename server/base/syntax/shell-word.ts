const PLAIN = /^[\w:/.,@%+=-]+$/;

/** A word as a shell reads it: in single quotes where it needs them. */
export function quoteForShell(word: string): string {
  return PLAIN.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
