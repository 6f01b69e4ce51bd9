import type { Language } from "../language.ts";
import type { Plan } from "./accounts.ts";
import { isLiveSession } from "./callers.ts";
import type { Sql } from "./sql.ts";

/** Where a session was begun: the browser in a few words, and the address (`findVisitor`). */
export interface Whereabouts {
  browser: string;
  address: string;
}

/** Somebody who is signed in, and what their pages need to know of them. */
export interface SignedIn {
  sessionId: string;
  accountId: string;
  email: string;
  plan: Plan;
  /** Null: that of the browser. */
  language: Language | null;
  /** A name of the IANA database; null: UTC. */
  timeZone: string | null;
  /** True if the person proved who they are within the last 15 minutes. */
  isConfirmed: boolean;
  now: Date;
}

export async function insertSession(
  sql: Sql,
  session: { id: string; accountId: string; fingerprint: Buffer } & Whereabouts,
): Promise<void> {
  await sql`
    insert into sessions (id, account_id, fingerprint, browser, address)
    values (${session.id}, ${session.accountId}, ${session.fingerprint}, ${session.browser}, ${session.address})`;
}

/**
 * Whose session this is; undefined if it has ended or expired. Also records when it was last used, to the minute, and
 * writes this at most once a minute.
 */
export async function findSignedIn(sql: Sql, fingerprint: Buffer): Promise<SignedIn | undefined> {
  const [signedIn] = await sql<SignedIn>`
    select sessions.id as session_id, account_id, email, plan, language, time_zone,
      confirmed_at > now() - interval '15 minutes' as is_confirmed, now()
    from sessions join accounts on accounts.id = account_id
    where fingerprint = ${fingerprint} and ${isLiveSession}
      and (last_used_at >= date_trunc('minute', now()) or use_session(sessions.id))`;
  return signedIn;
}

/** Ends a session of the account; false if it has no such session. */
export async function deleteSession(sql: Sql, accountId: string, id: string): Promise<boolean> {
  const rows = await sql`
    delete from sessions where id = ${id} and account_id = ${accountId} returning id`;
  return rows.length === 1;
}
