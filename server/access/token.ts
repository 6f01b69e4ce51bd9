import { hash } from "node:crypto";
import { Token, tokenFrom } from "../../shared/token.ts";
import { callerOfToken, type CallerRow } from "../db/callers.ts";
import { randomBase62 } from "../db/id.ts";

/** The SHA-256 of a token, 32 bytes: all that is ever stored of it. */
export function fingerprintOf(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

/** A new token, to be shown once. */
export function createToken(): string {
  return tokenFrom(randomBase62(34));
}

const MAX_HEADER_LENGTH = 1000;

/**
 * The caller of the request's one `Authorization: Bearer` token; undefined when there is none, or
 * several (Node keeps the first, so the raw headers are looked at), or one that cannot be a token.
 */
export function findToken(rawHeaders: readonly string[]): CallerRow | undefined {
  const values = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === "authorization",
  );
  const [value] = values;
  if (values.length !== 1 || value === undefined || value.length > MAX_HEADER_LENGTH)
    return undefined;
  const token = /^bearer (\S+)$/i.exec(value)?.[1];
  if (token === undefined || !Token.safeParse(token).success) return undefined;
  return callerOfToken(fingerprintOf(token));
}
