import { hash } from "node:crypto";
import { Token, tokenFrom } from "../../shared/token.ts";
import type { AccountActor, Actor } from "../db/actors.ts";
import { callerOfToken, type CallerRow } from "../db/callers.ts";
import { newId, randomBase62 } from "../db/id.ts";
import { insertToken, lockAccount, markAllTokensRevoked, markTokenRevoked } from "../db/tokens.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";

/** The SHA-256 of a token, 32 bytes: all that is ever stored of it. */
export function fingerprintOf(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

/** The text of a new token, to be shown once. */
export function newToken(): string {
  return tokenFrom(randomBase62(34));
}

const MAX_HEADER_LENGTH = 1000;

/**
 * The caller of the request's one `Authorization: Bearer` token; undefined when there is none, or
 * several (Node keeps the first, so the raw headers are looked at), or one that cannot be a token.
 */
export function findCallerByToken(rawHeaders: readonly string[]): CallerRow | undefined {
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

const MAX_ACTIVE_TOKENS = 5;

export interface CreatedToken {
  id: string;
  name: string;
  /** Its text, of which nothing but the fingerprint is kept. */
  token: string;
}

/** Creates a token of the actor's account. Throws `too_many_tokens`. */
export async function createToken(
  { database }: Deps,
  { accountId }: AccountActor,
  name: string,
): Promise<CreatedToken> {
  const token = newToken();
  const row = { id: newId("tok"), accountId, name, fingerprint: fingerprintOf(token) };
  await database.begin(async (sql) => {
    const email = await lockAccount(sql, accountId);
    if (!(await insertToken(sql, row, MAX_ACTIVE_TOKENS)))
      throw new AppError("too_many_tokens", { email, limit: MAX_ACTIVE_TOKENS });
  });
  return { id: row.id, name, token };
}

/** Revokes a token for good, from the next request on; revoking again changes nothing. Throws `token_not_found`. */
export async function revokeToken({ database }: Deps, actor: Actor, id: string): Promise<void> {
  if (!(await markTokenRevoked(database.sql, actor, id)))
    throw new AppError("token_not_found", { id });
}

/** Revokes all active tokens of the actor's account for good, from the next request on. */
export function revokeAllTokens({ database }: Deps, { accountId }: AccountActor): Promise<void> {
  return markAllTokensRevoked(database.sql, accountId);
}
