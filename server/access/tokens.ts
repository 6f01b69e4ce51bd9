import { hash } from "node:crypto";
import { isToken, tokenFrom } from "../../shared/token.ts";
import type { ForAccount, Manager } from "../db/accounts/actors.ts";
import { callerOfToken, type CallerRow } from "../db/accounts/callers.ts";
import { insertEvent } from "../db/accounts/events.ts";
import { newId, randomBase62 } from "../db/id.ts";
import {
  insertToken,
  lockAccount,
  markAllTokensRevoked,
  markTokenRevoked,
} from "../db/accounts/tokens.ts";
import type { StoreDeps } from "../deps.ts";
import { AppError } from "../base/errors.ts";

/** The token itself is never stored. */
export function fingerprintOf(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

export function newToken(): string {
  return tokenFrom(randomBase62(34));
}

const MAX_HEADER_LENGTH = 1000;
const AUTHORIZATION = "authorization";

const isAuthorization = (name: string) =>
  name.length === AUTHORIZATION.length && name.toLowerCase() === AUTHORIZATION;

/** Returns undefined for several `Authorization` headers. Reads the raw headers, because Node keeps only the first one. */
export function findCallerByToken({
  rawHeaders,
}: {
  readonly rawHeaders: readonly string[];
}): CallerRow | undefined {
  let value: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (!isAuthorization(rawHeaders[index] ?? "")) continue;
    if (value !== undefined) return undefined;
    value = rawHeaders[index + 1];
  }
  if (value === undefined || value.length > MAX_HEADER_LENGTH) return undefined;
  const token = /^bearer (\S+)$/i.exec(value)?.[1];
  if (token === undefined || !isToken(token)) return undefined;
  return callerOfToken(fingerprintOf(token));
}

export const MAX_ACTIVE_TOKENS = 5;

export interface CreatedToken {
  id: string;
  name: string;
  token: string;
}

export async function createToken(
  { database }: StoreDeps,
  actor: ForAccount<Manager>,
  name: string,
): Promise<CreatedToken> {
  const { accountId } = actor;
  const token = newToken();
  const row = { id: newId("tok"), accountId, name, fingerprint: fingerprintOf(token) };
  await database.begin(async (sql) => {
    const email = await lockAccount(sql, accountId);
    if (!(await insertToken(sql, row, MAX_ACTIVE_TOKENS)))
      throw new AppError("too_many_tokens", { email, limit: MAX_ACTIVE_TOKENS });
    const details = { tokenId: row.id };
    await insertEvent(sql, actor, { action: "token.created", accountId, details });
  });
  return { id: row.id, name, token };
}

/** The revocation takes effect on the next request. */
export const revokeToken = ({ database }: StoreDeps, actor: Manager, id: string) =>
  database.begin(async (sql) => {
    const revocation = await markTokenRevoked(sql, actor, id);
    if (revocation === undefined) throw new AppError("token_not_found", { id });
    const { accountId, isNew } = revocation;
    const event = { action: "token.revoked", accountId, details: { tokenId: id } } as const;
    if (isNew) await insertEvent(sql, actor, event);
  });

export function revokeAllTokens(
  { database }: StoreDeps,
  actor: ForAccount<Manager>,
): Promise<void> {
  const { accountId } = actor;
  return database.begin(async (sql) => {
    const count = await markAllTokensRevoked(sql, accountId);
    const event = { action: "token.all_revoked", accountId, details: { count } } as const;
    if (count > 0) await insertEvent(sql, actor, event);
  });
}
