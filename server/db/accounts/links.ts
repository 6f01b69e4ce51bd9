import { isLiveSession } from "./callers.ts";
import type { Language } from "../../../shared/language.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import { SIGN_IN_METHODS, type SignInMethods } from "./second-factors.ts";
import { done, firstRow, onlyValue } from "../driver/rows.ts";

export type LinkKind = "password" | "first_account" | "sign_up" | "email" | "sign_in";

export type LinkFor =
  /** Without an account, the link is never sent. It is stored so that the request takes the same time. */
  | { kind: "password" | "sign_in"; accountId: string | null; email: string }
  | { kind: "email"; accountId: string; email: string; sessionId: string }
  | { kind: "sign_up"; email: string }
  | { kind: "first_account" };

export interface Link {
  kind: LinkKind;
  accountId: string | null;
  /** The address of the account to create, or the account's new address. */
  email: string | null;
  sessionId: string | null;
}

export interface ShownLink extends Link, SignInMethods {
  accountEmail: string | null;
}

const someoneCanSignIn: Fragment = fragment`
  (exists (select from accounts where password_hash is not null)
    or exists (select from passkeys) or exists (select from second_factors))`;

const isGood: Fragment = fragment`
  links.expires_at > now() and (links.kind <> 'first_account' or not ${someoneCanSignIn})
  and (links.account_id is null
    or exists (select from accounts where accounts.id = links.account_id and accounts.email is not null))
  and (links.session_id is null
    or exists (select from sessions where sessions.id = links.session_id and ${isLiveSession}))`;

export const canSomeoneSignIn = (sql: Sql) =>
  onlyValue(sql.read<{ canSignIn: boolean }>`select ${someoneCanSignIn} as can_sign_in`);

export function upsertLink(sql: Sql, fingerprint: Buffer, link: LinkFor) {
  const { accountId = null, email = null, sessionId = null } = { ...link } as Partial<Link>;
  return done(sql`
    insert into links (fingerprint, kind, account_id, email, session_id, expires_at)
    values (${fingerprint}, ${link.kind}, ${accountId}, ${email}, ${sessionId}, now() + interval '30 minutes')
    on conflict (kind, coalesce(account_id, email, '')) do update set
      fingerprint = excluded.fingerprint, email = excluded.email, session_id = excluded.session_id,
      expires_at = excluded.expires_at`);
}

export const findLink = (sql: Sql, fingerprint: Buffer) =>
  firstRow(sql.read<ShownLink>`
    select kind, account_id, links.email, session_id, accounts.email as account_email, ${SIGN_IN_METHODS}
    from links left join accounts on accounts.id = account_id
    where fingerprint = ${fingerprint} and ${isGood}`);

/** Locks the account first, like changes of the account that void its links. */
export async function consumeLink(sql: Sql, fingerprint: Buffer): Promise<Link | undefined> {
  await sql`
    select from accounts where id = (select account_id from links where fingerprint = ${fingerprint})
    for no key update`;
  return firstRow(sql<Link>`
    delete from links where fingerprint = ${fingerprint} and ${isGood}
    returning kind, account_id, email, session_id`);
}

export const deleteLinks = (sql: Sql, accountId: string) =>
  done(sql`delete from links where account_id = ${accountId}`);

export interface Addressee {
  accountId: string;
  email: string;
  language: Language | null;
}

export const findAddressee = (sql: Sql, email: string) =>
  firstRow(sql.read<Addressee>`
    select id as account_id, email, language from accounts where email = ${email}`);
