import type { Language, Text } from "../../shared/language.ts";
import { say } from "../../shared/report/words.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";

interface ErrorDetails {
  /** The body of the API's error, which `--json` prints. */
  readonly body?: unknown;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/** An expected failure: `what` happened, and `advice` on what to do next. The `message` of the Error is in English. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  readonly what: Text;
  readonly advice: Text | undefined;
  readonly body: unknown;
  readonly requestId: string | undefined;

  constructor(
    exitCode: ExitCode,
    what: Text,
    advice: Text | undefined,
    details: ErrorDetails = {},
  ) {
    super(what.en, { cause: details.cause });
    this.name = "CliError";
    this.exitCode = exitCode;
    this.what = what;
    this.advice = advice;
    this.body = details.body;
    this.requestId = details.requestId;
  }
}

export function usageError(what: Text, advice: Text): CliError {
  return new CliError(EXIT.usage, what, advice);
}

/** The refusal of a flag's or an argument's value. The program adds which flag it is. */
export class ValueError extends Error {
  readonly advice: Text;

  constructor(advice: Text) {
    super(advice.en);
    this.name = "ValueError";
    this.advice = advice;
  }
}

/** A name, a path or a code, which every language writes alike. */
export const untranslated = (text: string): Text => ({ fr: text, en: text });

/** The advice for a word that was mistyped. */
export const suggest = (word: string): Text => ({
  fr: `Vouliez-vous dire ${word} ?`,
  en: `Did you mean ${word}?`,
});

/** The code of an error or of its cause, and the error's name where there is none. */
export function networkCode(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  if ("code" in error && typeof error.code === "string") return error.code;
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return cause instanceof Error ? networkCode(cause) : error.name;
}

function endSentence(text: string): string {
  return /[.!?](?:["”]|\s?»)?$/u.test(text) ? text : `${text}.`;
}

/** What happened, what to do next, and the request id where the server gave one. */
export function describeError({ what, advice, requestId }: CliError, language: Language): string {
  const sentences = [what, ...(advice ? [advice] : [])].map((text) =>
    endSentence(say(text, language)),
  );
  const request = { fr: `(requête ${requestId})`, en: `(request ${requestId})` };
  return [...sentences, ...(requestId === undefined ? [] : [say(request, language)])].join(" ");
}

/** The one line that a command ends with when it fails. */
export function formatError(error: CliError, language: Language): string {
  return `shipscore: ${describeError(error, language)}`;
}

const PLAIN = /^[ -~]*$/;
const ASCII_HYPHENS = /^-+$/;

/** Hyphens, dashes and minus signs that look like the ASCII hyphen. Only the ASCII one begins a flag. */
const DASHES = /^[\p{Pd}\u00ad\u02d7\u2043\u207b\u208b\u2212\u2796]+/u;

/** Spaces other than the plain one, and characters without width, as a word copied from a web page may contain them. */
const BLANK = /(?! )[\s\p{Z}\p{Cc}\p{Cf}]/u;

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Refuses a word that begins with a character that only looks like a hyphen. @throws CliError 2 */
export function refuseDash(word: string): void {
  const dashes = PLAIN.test(word) ? undefined : DASHES.exec(word)?.[0];
  if (dashes === undefined || ASCII_HYPHENS.test(dashes)) return;
  const [flag = ""] = word.slice(dashes.length).split("=", 1);
  const meant = flag.length > 1 ? `--${flag}` : `-${flag}`;
  const odd = nameOf(dashes.replaceAll("-", "").slice(0, 1));
  throw usageError(
    {
      fr: `« ${dashes}${flag} » commence par ${odd}, qui ressemble seulement à un tiret`,
      en: `'${dashes}${flag}' begins with ${odd}, which only looks like a hyphen`,
    },
    /^[a-z]/i.test(flag)
      ? { fr: `Saisissez ${meant}`, en: `Type ${meant}` }
      : { fr: "Saisissez un tiret", en: "Type a hyphen" },
  );
}

/** Refuses a flag or a URL with a character that looks like a space, or like nothing. @throws CliError 2 */
export function refuseBlank(word: string): void {
  const blank = PLAIN.test(word) ? undefined : BLANK.exec(word)?.[0];
  if (blank === undefined) return;
  throw usageError(
    {
      fr: `« ${word} » contient ${nameOf(blank)}, un caractère invisible`,
      en: `'${word}' contains ${nameOf(blank)}, which is invisible`,
    },
    {
      fr: "Saisissez-le à nouveau, chaque option et chaque URL en un mot séparé",
      en: "Type it again, each flag and each URL as a separate word",
    },
  );
}

/**
 * Refuses flags that typography changed before they were pasted: to a program, `—min-score` is not a flag but one more URL.
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

/** A workflow command of GitHub Actions, which shows a message beside the job. */
export function formatAnnotation(
  level: "error" | "warning" | "notice",
  title: string,
  message: string,
): string {
  const escaped = {
    title: title.replace(/[%\r\n:,]/g, encodeURIComponent),
    message: message.replace(/[%\r\n]/g, encodeURIComponent),
  };
  return `::${level} title=${escaped.title}::${escaped.message}`;
}

const annotated = new WeakSet<CliError>();

/** Remembers that an error has its annotation, so that the end of the command adds no second one. */
export function markAnnotated(error: CliError): void {
  annotated.add(error);
}

export function isAnnotated(error: CliError): boolean {
  return annotated.has(error);
}
