import { AppError } from "../../base/errors.ts";
import type { Plan } from "../../base/plans.ts";
import { fragment, Fragment } from "../driver/fragment.ts";
import { SESSION_LIFE } from "../../base/bounds.ts";
import type { Sql } from "../driver/sql.ts";
import { firstRow } from "../driver/rows.ts";

export const isLiveSession: Fragment = fragment`
  sessions.last_used_at > now() - interval '1 day' * ${SESSION_LIFE.idleDays}::int
  and sessions.created_at > now() - interval '1 day' * ${SESSION_LIFE.maxDays}::int`;

/**
 * True in SQL for the session of a cookie's fingerprint. Also true for 10 seconds for the fingerprint that the session
 * had until the user confirmed their identity, but unconfirmed. Otherwise requests of other tabs that are under way
 * would be signed out.
 */
export const hasFingerprint = (fingerprint: Buffer): Fragment => fragment`
  (sessions.fingerprint = ${fingerprint}
    or (sessions.former_fingerprint = ${fingerprint} and sessions.confirmed_at > now() - interval '10 seconds'))`;

export type CredentialKind = "token" | "session";

const AS_CALLER = ["(", ") caller"];

/**
 * A table `caller (account_id)` for a `from` clause: one row for a valid credential, none for any other. Every read
 * takes one, so that authentication, visibility and read are a single statement. Only the functions below create one,
 * one function for each kind of credential.
 */
class Caller extends Fragment {
  readonly by: CredentialKind | null;
  readonly fingerprint: Buffer;

  constructor(by: CredentialKind | null, fingerprint: Buffer, select: Fragment) {
    super(AS_CALLER, [select]);
    this.by = by;
    this.fingerprint = fingerprint;
  }
}
export type CallerRow = Caller;

/** Also records when the token was last used, to the minute and at most once a minute. */
export const callerOfToken = (fingerprint: Buffer): CallerRow =>
  new Caller(
    "token",
    fingerprint,
    fragment`
    select account_id from tokens
    where fingerprint = ${fingerprint} and revoked_at is null
      and (last_used_at >= date_trunc('minute', now()) or use_token(id))`,
  );

export const callerOfSession = (fingerprint: Buffer): CallerRow =>
  new Caller(
    "session",
    fingerprint,
    fragment`select account_id from sessions where ${hasFingerprint(fingerprint)} and ${isLiveSession}`,
  );

/** The caller of a request without a credential. */
export const NOBODY: CallerRow = new Caller(
  null,
  Buffer.alloc(0),
  fragment`select null::text as account_id where false`,
);

export interface KnownAccount {
  accountId: string;
}

export interface KnownCaller extends KnownAccount {
  plan: Plan;
}

export const findCaller = (sql: Sql, caller: CallerRow) =>
  firstRow(sql.read<KnownCaller>`
    select account_id, plan from ${caller} join accounts on accounts.id = account_id`);

/** What a known caller may see; `found` is undefined for a project that the caller may not see. */
export interface Read<Found> extends KnownAccount {
  found: Found | undefined;
}

/** Throws `unauthorized` without a caller, and `project_not_found` without a result. */
export function getFound<Found>(read: Read<Found> | undefined): Found {
  if (read === undefined) throw new AppError("unauthorized", {});
  if (read.found === undefined) throw new AppError("project_not_found", {});
  return read.found;
}
