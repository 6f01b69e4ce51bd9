import { hasFingerprint, isLiveSession } from "./callers.ts";
import type { Preferences } from "./accounts.ts";
import type { Plan } from "../../base/plans.ts";
import { isThere } from "../projects/projects.ts";
import { parseId } from "../id.ts";
import type { Sql } from "../driver/sql.ts";
import { SIGN_IN_METHODS, type SignInMethods } from "./second-factors.ts";
import { countRows, done, firstRow, isFound } from "../driver/rows.ts";

export interface ClientInfo {
  /** A short name such as `Firefox, Linux`; empty if it is unknown. */
  browser: string;
  /** The IP address (`findVisitor`). */
  address: string;
  /** The fingerprint of the browser's previous session, which ends. */
  former?: Buffer | undefined;
  /** The browser's time zone, stored for an account that has none. */
  timeZone?: string | undefined;
}

/** Limits the count of open incidents, which every page needs. */
export const MAX_COUNTED = 100;

export interface SignedIn extends SignInMethods, Preferences {
  sessionId: string;
  accountId: string;
  email: string;
  plan: Plan;
  /** Null means the number of its plan. */
  checksAMonth: number | null;
  isConfirmed: boolean;
  hasPassword: boolean;
  openIncidents: number;
  now: Date;
}

export function insertSession(
  sql: Sql,
  session: { id: string; accountId: string; fingerprint: Buffer } & ClientInfo,
) {
  const { accountId, timeZone = null } = session;
  return done(sql`
    with zone as (
      update accounts set time_zone = ${timeZone}
      where id = ${accountId} and time_zone is null and ${timeZone}::text is not null)
    insert into sessions (id, account_id, fingerprint, browser, address)
    values (${session.id}, ${session.accountId}, ${session.fingerprint}, ${session.browser}, ${session.address})`);
}

export const findSignedIn = (sql: Sql, fingerprint: Buffer, isUse = true) =>
  firstRow(sql.read<SignedIn>`
    select sessions.id as session_id, account_id, email, plan, checks_a_month, language, time_zone,
      fingerprint = ${fingerprint} and confirmed_at > now() - interval '15 minutes' as is_confirmed,
      password_hash is not null as has_password, ${SIGN_IN_METHODS}, now(), (
        select count(*)::int from (
          select from (
            select id from projects where owner_id = sessions.account_id
            union all
            select projects.id from memberships join projects on projects.id = project_id and ${isThere}
            where memberships.account_id = sessions.account_id
          ) seen join incidents on incidents.project_id = seen.id and closed_at is null limit ${MAX_COUNTED}::int
        ) open) as open_incidents
    from sessions join accounts on accounts.id = account_id
    where ${hasFingerprint(fingerprint)} and ${isLiveSession}
      and (not ${isUse}::boolean or last_used_at >= date_trunc('minute', now()) or use_session(sessions.id))`);

export interface SessionSummary {
  id: string;
  createdAt: Date;
  lastUsedAt: Date;
  browser: string;
  address: string;
}

export const deleteSession = (sql: Sql, accountId: string, id: string) =>
  isFound(sql`
    delete from sessions where id = ${parseId("ses", id)} and account_id = ${accountId} returning id`);

export const deleteFormerSession = (sql: Sql, fingerprint: Buffer) =>
  done(sql`delete from sessions where ${hasFingerprint(fingerprint)}`);

export const deleteOtherSessions = (sql: Sql, accountId: string, kept: string | null) =>
  countRows(sql`
    delete from sessions where account_id = ${accountId} and id is distinct from ${kept} returning id`);

export const deleteOldestSessions = (sql: Sql, accountId: string, kept: number) =>
  done(sql`
    delete from sessions where id in (
      select id from sessions where account_id = ${accountId} order by created_at desc offset ${kept}
    )`);

export const confirmSession = (sql: Sql, id: string, fingerprint: Buffer) =>
  done(sql`
    update sessions set confirmed_at = now(), former_fingerprint = fingerprint, fingerprint = ${fingerprint}
    where id = ${id}`);
