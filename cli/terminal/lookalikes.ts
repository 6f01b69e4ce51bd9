import { usageError } from "./errors.ts";

const PLAIN = /^[ -~]*$/;
const ASCII_HYPHENS = /^-+$/;

/** Hyphens, dashes and minus signs that are drawn like the ASCII hyphen, which alone begins a flag. */
const DASHES = /^[\p{Pd}\u00ad\u02d7\u2043\u207b\u208b\u2212\u2796]+/u;

/** Spaces other than the plain one, and characters without width, as a word copied from a web page may hold them. */
const BLANK = /(?! )[\s\p{Z}\p{Cc}\p{Cf}]/u;

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Refuses a word that begins with what only looks like a hyphen. @throws CliError 2 */
export function refuseDash(word: string): void {
  const dashes = PLAIN.test(word) ? undefined : DASHES.exec(word)?.[0];
  if (dashes === undefined || ASCII_HYPHENS.test(dashes)) return;
  const [flag = ""] = word.slice(dashes.length).split("=", 1);
  const meant = flag.length > 1 ? `--${flag}` : `-${flag}`;
  const odd = dashes.replaceAll("-", "").slice(0, 1);
  throw usageError(
    `'${dashes}${flag}' begins with ${nameOf(odd)}, which only looks like a hyphen`,
    /^[a-z]/i.test(flag) ? `Type ${meant}` : "Type a hyphen",
  );
}

/** Refuses a flag or a URL that holds a character that looks like a space, or like nothing. @throws CliError 2 */
export function refuseBlank(word: string): void {
  const blank = PLAIN.test(word) ? undefined : BLANK.exec(word)?.[0];
  if (blank === undefined) return;
  throw usageError(
    `'${word}' holds ${nameOf(blank)}, which cannot be seen`,
    "Type it again, each flag and each URL as a word of its own",
  );
}

/**
 * Refuses flags that typography changed before they were pasted: to a program `—min-score` is no flag, but one more URL.
 * Words after `--` are not flags.
 * @throws CliError 2
 */
export function refuseLookalikes(argv: readonly string[]): void {
  const end = argv.indexOf("--");
  for (const word of end < 0 ? argv : argv.slice(0, end)) {
    refuseDash(word);
    if (word.startsWith("-")) refuseBlank(word.split("=", 1)[0] ?? "");
  }
}
