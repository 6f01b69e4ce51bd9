import { AppError } from "../../base/errors.ts";
import type { Plan } from "../../base/plans.ts";
import { fragment, Fragment } from "../driver/fragment.ts";
import { SESSION_LIFE } from "../../base/bounds.ts";
import type { Sql } from "../driver/sql.ts";
import { firstRow } from "../driver/rows.ts";

export const isLiveSession: Fragment = fragment`
  sessions.last_used_at > now() - interval '1 day' * ${SESSION_LIFE.idleDays}::int
  and sessions.created_at > now() - interval '1 day' * ${SESSION_LIFE.maxDays}::int`;

/** For 10 s after a confirmation, other tabs still send the former fingerprint; their requests are unconfirmed. */
export const hasFingerprint = (fingerprint: Buffer): Fragment => fragment`
  (sessions.fingerprint = ${fingerprint}
    or (sessions.former_fingerprint = ${fingerprint} and sessions.confirmed_at > now() - interval '10 seconds'))`;

export type CredentialKind = "token" | "session";

const AS_CALLER = ["(", ") caller"];

/**
 * A table `caller (account_id)` for a `from` clause: one row for a valid credential, none for any other. Every read
 * takes one, so that authentication, visibility and read are a single statement. Only the functions below create one.
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

/** `found` is undefined for a project that the caller may not see. */
export interface Read<Found> extends KnownAccount {
  found: Found | undefined;
}

export function getFound<Found>(read: Read<Found> | undefined): Found {
  if (read === undefined) throw new AppError("unauthorized", {});
  if (read.found === undefined) throw new AppError("project_not_found", {});
  return read.found;
}
