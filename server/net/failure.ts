import type { Failure } from "../evidence/evidence.ts";
import { oneLine } from "../syntax/one-line.ts";

const MAX_DETAIL_LENGTH = 200;

/** Where and why a request stopped, where the code that notices knows it best. */
export class RequestError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.detail);
    this.name = "RequestError";
    this.failure = failure;
  }
}

/** Names what a socket, OpenSSL or undici threw; a TLS alert is one in whatever phase it arrives. */
export function failureOf(error: unknown, phase: Failure["phase"]): Failure {
  if (error instanceof RequestError) return error.failure;
  const code = codeOf(error);
  const detail = oneLine(messageOf(error), MAX_DETAIL_LENGTH);
  return { phase: /^ERR_(?:SSL|TLS|OSSL)_/.test(code) ? "tls" : phase, code, detail };
}

export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "UNKNOWN";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

/** OpenSSL's `reason` is the part of its message that is not the library's own line numbers. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "reason" in error && typeof error.reason === "string" ? error.reason : error.message;
}
