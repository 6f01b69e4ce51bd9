import { AppError } from "../../base/errors.ts";
import { belongsToActor, type Manager } from "./actors.ts";
import type { CallerRow } from "./callers.ts";
import { fragment } from "../driver/fragment.ts";
import { parseId } from "../id.ts";
import { USED_THIS_MONTH } from "./usage.ts";
import type { Sql } from "../driver/sql.ts";
import { firstRow, isFound } from "../driver/rows.ts";

/** Orders transactions that add rows to an account, so that each counts the others' rows. Does not block foreign keys. */
export async function lockAccount(sql: Sql, accountId: string): Promise<string> {
  const [account] = await sql<{ email: string }>`
    select email from accounts where id = ${accountId} and email is not null for no key update`;
  if (account === undefined) throw new AppError("unauthorized", {});
  return account.email;
}

export const insertToken = (
  sql: Sql,
  token: { id: string; accountId: string; name: string; fingerprint: Buffer },
  limit: number,
) =>
  isFound(sql`
    insert into tokens (id, account_id, name, fingerprint)
    select ${token.id}, ${token.accountId}, ${token.name}, ${token.fingerprint}
    where (select count(*) from tokens where account_id = ${token.accountId} and revoked_at is null) < ${limit}
    returning id`);

export interface TokenSummary {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
  revokedAt: Date | null;
}

export const listTokens = (sql: Sql, accountId: string) =>
  sql.read<TokenSummary>`
    select id, name, created_at, last_used_at, revoked_at from tokens
    where account_id = ${accountId} order by created_at, id`;

export interface ApiSettings {
  now: Date;
  /** Slots used this month (UTC). */
  used: number;
  active: TokenSummary[];
  revoked: RevokedToken[];
  older: string | undefined;
}

export type RevokedToken = TokenSummary & { revokedAt: Date };

const REVOKED = 20;

export async function findApiSettings(
  sql: Sql,
  caller: CallerRow,
  before?: string,
): Promise<ApiSettings | undefined> {
  const isNext =
    before === undefined
      ? fragment`true`
      : fragment`(revoked_at, id) < (
          select revoked_at, id from tokens where id = ${parseId("tok", before)} and account_id = caller.account_id)`;
  const columns = fragment`id, name, created_at, last_used_at, revoked_at`;
  const rows = await sql.read<{ [Key in keyof TokenSummary]: TokenSummary[Key] } & ReadAt>`
    select now(), token.*, ${USED_THIS_MONTH} as used
    from ${caller} left join lateral (
      (select ${columns} from tokens where account_id = caller.account_id and revoked_at is null)
      union all
      (select ${columns} from tokens
      where account_id = caller.account_id and revoked_at is not null and ${isNext}
      order by revoked_at desc, id desc limit ${REVOKED + 1})
    ) token on true
    order by revoked_at desc nulls first, created_at, id`;
  const [first] = rows;
  if (first === undefined) return undefined;
  const tokens = rows.filter(({ id }) => id !== null);
  const revoked = tokens.filter(
    (token): token is typeof token & RevokedToken => token.revokedAt !== null,
  );
  const shown = revoked.slice(0, REVOKED);
  return {
    now: first.now,
    used: first.used,
    active: tokens.filter(({ revokedAt }) => revokedAt === null),
    revoked: shown,
    older: revoked.length > REVOKED ? shown.at(-1)?.id : undefined,
  };
}

type ReadAt = Pick<ApiSettings, "now" | "used">;

export const findToken = (sql: Sql, caller: CallerRow, id: string) =>
  firstRow(sql.read<TokenSummary & Pick<ApiSettings, "now">>`
    select now(), id, name, created_at, last_used_at, revoked_at
    from ${caller} join tokens on tokens.account_id = caller.account_id
    where tokens.id = ${parseId("tok", id)}`);

export interface Revocation {
  accountId: string;
  /** False if it was revoked before. */
  isNew: boolean;
}

const MAX_REVOKED = fragment`100`;

/** The account's row must be locked. */
async function deleteOldRevoked(sql: Sql, accountId: string): Promise<void> {
  await sql`
    delete from tokens where id in (
      select id from tokens where account_id = ${accountId} and revoked_at is not null
      order by revoked_at desc, id desc offset ${MAX_REVOKED}
    )`;
}

export async function markTokenRevoked(
  sql: Sql,
  actor: Manager,
  id: string,
): Promise<Revocation | undefined> {
  const isActors = fragment`id = ${parseId("tok", id)} and ${belongsToActor(actor, fragment`account_id`)}`;
  const [revocation] = await sql<Revocation>`
    with account as (
      select from accounts where id = (select account_id from tokens where ${isActors}) for no key update
    ), revoked as (
      update tokens set revoked_at = now() from account
      where ${isActors} and revoked_at is null returning id
    )
    select account_id, exists (select from revoked) as is_new from tokens
    where ${isActors}`;
  if (revocation?.isNew) await deleteOldRevoked(sql, revocation.accountId);
  return revocation;
}

export async function markAllTokensRevoked(sql: Sql, accountId: string): Promise<number> {
  await lockAccount(sql, accountId);
  const rows = await sql`
    update tokens set revoked_at = now() where account_id = ${accountId} and revoked_at is null
    returning id`;
  await deleteOldRevoked(sql, accountId);
  return rows.length;
}
