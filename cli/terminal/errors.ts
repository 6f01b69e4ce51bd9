import type { Language, Text } from "../../shared/language.ts";
import { say } from "../../shared/report/words.ts";
import { EXIT, type ExitCode } from "./exit-codes.ts";

interface ErrorDetails {
  /** The body of the API's error, which `--json` prints. */
  readonly body?: unknown;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/** The `message` of the Error is in English. */
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

/** The program adds the name of the flag or argument. */
export class ValueError extends Error {
  readonly advice: Text;

  constructor(advice: Text) {
    super(advice.en);
    this.name = "ValueError";
    this.advice = advice;
  }
}

export const untranslated = (text: string): Text => ({ fr: text, en: text });

export const suggest = (word: string): Text => ({
  fr: `Vouliez-vous dire ${word} ?`,
  en: `Did you mean ${word}?`,
});

export function networkCode(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  if ("code" in error && typeof error.code === "string") return error.code;
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return cause instanceof Error ? networkCode(cause) : error.name;
}

function endSentence(text: string): string {
  return /[.!?](?:["”]|\s?»)?$/u.test(text) ? text : `${text}.`;
}

export function describeError({ what, advice, requestId }: CliError, language: Language): string {
  const sentences = [what, ...(advice ? [advice] : [])].map((text) =>
    endSentence(say(text, language)),
  );
  const request = { fr: `(requête ${requestId})`, en: `(request ${requestId})` };
  return [...sentences, ...(requestId === undefined ? [] : [say(request, language)])].join(" ");
}

export function formatError(error: CliError, language: Language): string {
  return `shipscore: ${describeError(error, language)}`;
}

const PLAIN = /^[ -~]*$/;
const ASCII_HYPHENS = /^-+$/;

/** Only the ASCII hyphen begins a flag. */
const DASHES = /^[\p{Pd}\u00ad\u02d7\u2043\u207b\u208b\u2212\u2796]+/u;

/** A word copied from a web page may contain them. */
const BLANK = /(?! )[\s\p{Z}\p{Cc}\p{Cf}]/u;

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

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
 * Typography may change flags before they are pasted: `—min-score` would be one more URL. Words after `--` are not flags.
 * @throws CliError 2
 */
export function refuseLookalikes(argv: readonly string[]): void {
  const end = argv.indexOf("--");
  for (const word of end < 0 ? argv : argv.slice(0, end)) {
    refuseDash(word);
    if (word.startsWith("-")) refuseBlank(word.split("=", 1)[0] ?? "");
  }
}

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

/** The end of the command must not add a second annotation. */
export function markAnnotated(error: CliError): void {
  annotated.add(error);
}

export function isAnnotated(error: CliError): boolean {
  return annotated.has(error);
}
