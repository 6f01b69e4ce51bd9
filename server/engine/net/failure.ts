import type { Failure } from "../evidence/exchange.ts";
import { oneLine } from "../../base/syntax/text.ts";

const MAX_DETAIL_LENGTH = 200;

export class RequestError extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.detail);
    this.name = "RequestError";
    this.failure = failure;
  }
}

/** A TLS alert belongs to phase `tls`, even if it arrives after the handshake. */
export function failureOf(error: unknown, phase: Failure["phase"]): Failure {
  if (error instanceof RequestError) return error.failure;
  const code = codeOf(error);
  const detail = oneLine(messageOf(error), MAX_DETAIL_LENGTH);
  return { phase: phaseOf(code) ?? phase, code, detail };
}

function phaseOf(code: string): Failure["phase"] | undefined {
  if (code.includes("NO_APPLICATION_PROTOCOL")) return "http1";
  return /^ERR_(?:SSL|TLS|OSSL)_/.test(code) ? "tls" : undefined;
}

export function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return "UNKNOWN";
  return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

/** OpenSSL's `reason` is its message without the line numbers of its source. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "reason" in error && typeof error.reason === "string" ? error.reason : error.message;
}
