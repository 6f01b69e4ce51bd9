import { pino, type Logger } from "pino";
import { AppError } from "./errors.ts";

export type { Logger } from "pino";

/**
 * Secrets are known by their shape, wherever they stand: a token (also percent-encoded or mistyped), the user
 * information of a URL, and the values of a query.
 */
const SECRETS: readonly [RegExp, string][] = [
  [/psk(?:_|%5f)[0-9a-z%_-]*/gi, "psk_***"],
  [/(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#"@]{0,500}@/gi, "$1***@"],
  [/([?&][^\s=&?#"\\]{1,200}=)[^\s&#"\\]+/g, "$1***"],
  [/(authorization[\\"]*\s*[:=,]\s*[\\"[]*)(?:[a-z]{1,20} )?[^\s"\\,}\]]+/gi, "$1***"],
];

export function redactSecrets(text: string): string {
  return SECRETS.reduce((cut, [secret, mask]) => cut.replace(secret, mask), text);
}

/** An expected failure is told in a line; of an unknown one the stack is all there is to go by. */
function describeError(error: Error): object {
  if (!(error instanceof AppError)) return pino.stdSerializers.err(error);
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  return { code: error.code, message: error.message, cause };
}

/** Structured logs, one JSON object a line, every line redacted as a whole before it is written. */
export function createLog(level: string, write: (line: string) => void): Logger {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
    },
    { write: (line: string) => write(redactSecrets(line)) },
  );
}
