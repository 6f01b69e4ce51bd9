import { pino, type Logger } from "pino";

export type { Logger } from "pino";

/**
 * Secrets are known by their shape, wherever they stand: a token (also percent-encoded or mistyped), the user
 * information of a URL, and the values of a query.
 */
const SECRETS: readonly [RegExp, string][] = [
  [/psk(?:_|%5f)[0-9a-z%_-]*/gi, "psk_***"],
  [/(\b[a-z][a-z0-9+.-]*:\/\/)[^\s/?#"@]*@/gi, "$1***@"],
  [/([?&][^\s=&?#"\\]{1,200}=)[^\s&#"\\]+/g, "$1***"],
  [/(authorization"?\s*[:=]\s*\\?"?)(?:bearer |basic )?[^\s"\\,}]+/gi, "$1***"],
];

export function redactSecrets(text: string): string {
  return SECRETS.reduce((cut, [secret, mask]) => cut.replace(secret, mask), text);
}

/** Structured logs, one JSON object a line, every line redacted as a whole before it is written. */
export function createLog(level: string, write: (line: string) => void): Logger {
  return pino(
    { level, base: null, timestamp: pino.stdTimeFunctions.isoTime },
    {
      write: (line: string) => write(redactSecrets(line)),
    },
  );
}
