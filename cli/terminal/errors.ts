import { EXIT, type ExitCode } from "./exit-codes.ts";

export interface ErrorDetails {
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
