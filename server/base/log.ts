import { pino, type Logger } from "pino";
import { AppError } from "./errors.ts";

export type { Logger } from "pino";

/**
 * Secrets, recognized by their form wherever they appear: tokens (also percent-encoded or mistyped), secrets of webhooks, URLs that grant
 * access by themselves (a one-time link, an unsubscription, a chat's webhook), the user information of a URL, and the values of a query
 * string.
 */
const SECRETS: readonly [RegExp, string][] = [
  [/psk(?:_|%5f)[0-9a-z%_-]*/gi, "psk_***"],
  [/whsec(?:_|%5f)[0-9a-z%+/=_-]+/gi, "whsec_***"],
  [/(\/(?:links|(?:un)?subscribe|services|api\/webhooks)\/)[\w%/-]+/gi, "$1***"],
  [/(\b[a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#"@]{0,500}@/gi, "$1***@"],
  [/([?&][^\s=&?#"\\]{1,200}=)[^\s&#"\\]+/g, "$1***"],
  [/(authorization[\\"]*\s*[:=,]\s*[\\"[]*)(?:[a-z]{1,20} )?[^\s"\\,}\]]+/gi, "$1***"],
];

export function redactSecrets(text: string): string {
  return SECRETS.reduce((cut, [secret, mask]) => cut.replace(secret, mask), text);
}

/** An expected failure fits on one line; an unexpected one needs its stack. */
function serializeError(error: Error): object {
  if (!(error instanceof AppError)) return pino.stdSerializers.err(error);
  const cause = error.cause instanceof Error ? error.cause.message : undefined;
  return { code: error.code, parameters: error.parameters, cause };
}

/** Redacts and writes the lines of one turn together: one write per line took a seventh of a busy server's time. */
export function createLog(level: string, write: (lines: string) => void): Logger {
  let lines = "";
  const flush = () => {
    write(redactSecrets(lines));
    lines = "";
  };
  const collect = (line: string) => {
    if (lines === "") setImmediate(flush);
    lines += line;
  };
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: serializeError },
    },
    { write: collect },
  );
}
