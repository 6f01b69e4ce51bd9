import type { Language } from "../language.ts";
import { isLiveSession, type CallerRow } from "./callers.ts";
import type { SessionSummary } from "./sessions.ts";
import type { Sql } from "./sql.ts";

/** A passkey as its account sees it. */
export interface PasskeySummary {
  id: string;
  name: string;
  createdAt: Date;
  lastUsedAt: Date | null;
}

/** What an account's settings show, besides who is signed in (`Visit`). */
export interface AccountSettings {
  /** By the database's clock. */
  now: Date;
  hasPassword: boolean;
  /** Null: that of the browser. */
  language: Language | null;
  /** The last used first. */
  sessions: readonly SessionSummary[];
  passkeys: readonly PasskeySummary[];
  /** The account's own, by name. */
  projects: readonly { id: string; name: string }[];
}

/** The same with texts in the place of times, as they are in JSON. */
type InJson<Of> = { [Key in keyof Of]: Of[Key] extends string ? string : string | null };

interface Row extends Pick<AccountSettings, "now" | "hasPassword" | "language" | "projects"> {
  sessions: InJson<SessionSummary>[];
  passkeys: InJson<PasskeySummary>[];
}

const dateOf = (text: string | null) => new Date(text ?? 0);

/** The settings of the caller's account; undefined without a caller. */
export async function findAccountSettings(
  sql: Sql,
  caller: CallerRow,
): Promise<AccountSettings | undefined> {
  const [row] = await sql<{ [Key in keyof Row]: Row[Key] }>`
    select now(), password_hash is not null as has_password, language,
      to_json(array(
        select json_build_object('id', id, 'browser', browser, 'address', address,
          'createdAt', created_at, 'lastUsedAt', last_used_at)
        from sessions where sessions.account_id = accounts.id and ${isLiveSession}
        order by last_used_at desc, created_at desc, id
      )) as sessions,
      to_json(array(
        select json_build_object('id', id, 'name', name, 'createdAt', created_at, 'lastUsedAt', last_used_at)
        from passkeys where passkeys.account_id = accounts.id order by created_at, id
      )) as passkeys,
      to_json(array(
        select json_build_object('id', id, 'name', name) from projects where owner_id = accounts.id order by name, id
      )) as projects
    from ${caller} join accounts on accounts.id = caller.account_id`;
  if (row === undefined) return undefined;
  const sessions = row.sessions.map(({ createdAt, lastUsedAt, ...session }) => {
    return { ...session, createdAt: dateOf(createdAt), lastUsedAt: dateOf(lastUsedAt) };
  });
  const passkeys = row.passkeys.map(({ createdAt, lastUsedAt, ...passkey }) => {
    const usedAt = lastUsedAt === null ? null : dateOf(lastUsedAt);
    return { ...passkey, createdAt: dateOf(createdAt), lastUsedAt: usedAt };
  });
  return { ...row, sessions, passkeys };
}
