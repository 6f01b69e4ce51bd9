import { readError } from "../client/received.ts";
import { cleanText } from "../terminal/clean.ts";
import { describeError, type CliError } from "../terminal/errors.ts";
import type { Id } from "./message.ts";

/** JSON-RPC's codes of errors; `failed` is the first of those that are left to an implementation. */
export const RPC = { notJson: -32700, invalid: -32600, failed: -32000 } as const;

/** The answer that a client gets in place of the server's. */
export function answerWithError(id: Id, code: number, message: string): string {
  return JSON.stringify({ jsonrpc: "2.0", id, error: { code, message: cleanText(message) } });
}

/** The answer to a call that failed on its way: the server's own sentence, if it gave one. */
export function answerWithFailure(id: Id, failure: CliError): string {
  const said = readError(failure.body)?.error;
  return answerWithError(id, RPC.failed, said ?? describeError(failure));
}
