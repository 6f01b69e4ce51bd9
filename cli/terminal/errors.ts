import { EXIT, type ExitCode } from "./exit-codes.ts";

interface ErrorDetails {
  /** The body of the API's error, which `--json` prints. */
  readonly body?: unknown;
  readonly requestId?: string | undefined;
  readonly cause?: unknown;
}

/** An expected failure: `message` says what happened, `advice` what to do next; it is empty where `message` says that too. */
export class CliError extends Error {
  readonly exitCode: ExitCode;
  readonly advice: string;
  readonly body: unknown;
  readonly requestId: string | undefined;

  constructor(exitCode: ExitCode, message: string, advice: string, details: ErrorDetails = {}) {
    super(message, { cause: details.cause });
    this.name = "CliError";
    this.exitCode = exitCode;
    this.advice = advice;
    this.body = details.body;
    this.requestId = details.requestId;
  }
}

export function usageError(message: string, advice: string): CliError {
  return new CliError(EXIT.usage, message, advice);
}

/** The code of an error or of its cause, and the error's name where there is none. */
export function networkCode(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  if ("code" in error && typeof error.code === "string") return error.code;
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return cause instanceof Error ? networkCode(cause) : error.name;
}

function endSentence(text: string): string {
  return /[.!?]["”»]?$/u.test(text) ? text : `${text}.`;
}

/** What happened, what to do next, and the request id where the server gave one. */
export function describeError(error: CliError): string {
  const requestId = error.requestId === undefined ? "" : ` (request ${error.requestId})`;
  const sentences = [error.message, error.advice].filter((text) => text !== "");
  return `${sentences.map(endSentence).join(" ")}${requestId}`;
}

/** The one line that a command ends with when it fails. */
export function formatError(error: CliError): string {
  return `shipscore: ${describeError(error)}`;
}

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
