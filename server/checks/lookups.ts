import type { CredentialActor, Recorder } from "../db/accounts/actors.ts";
import {
  readBucket,
  returnToBucket,
  takeFromBucket,
  takeOrRefuse,
  type Bound,
} from "../db/checks/buckets.ts";
import type { Deps, StoreDeps } from "../deps.ts";
import { AppError, isAppError } from "../base/errors.ts";
import { requireSlot } from "./quota.ts";

export const LOOKUPS_AN_HOUR = 5000;

/** Limits the DNS queries that the forms and sitemaps of an account can cause. */
const LOOKUPS: Bound = {
  name: "host names looked up of an account",
  capacity: LOOKUPS_AN_HOUR,
  seconds: 3600,
};
/** A separate limit, so that an account's forms never block its checks. */
const REFUSED_CHECKS: Bound = {
  name: "refused checks of an account",
  capacity: LOOKUPS_AN_HOUR,
  seconds: 3600,
};

export const isLookupLimit = ({ what }: { what: string }): boolean => what === LOOKUPS.name;

type Actor = CredentialActor | Recorder;

const bucketOf = ({ accountId, by }: Actor) => ({ bound: LOOKUPS, subject: accountId ?? by });

/** The operator is exempt from the limit. Throws `too_often`. */
export async function takeLookups(deps: Deps, actor: Actor, count: number): Promise<void> {
  if (actor.by !== "operator" && count > 0)
    await takeOrRefuse(deps.database.sql, bucketOf(actor), count);
}

/**
 * A refused or aborted check counts against this limit, since the quota does not cover it. A failure of this server does not count. At the
 * limit, throws `quota_exceeded` or `too_many_refused` before the lookup.
 */
export async function limitRefusedChecks<Result>(
  { database: { sql } }: StoreDeps,
  accountId: string,
  check: () => Promise<Result>,
  signal: AbortSignal | undefined,
): Promise<Result> {
  const bucket = { bound: REFUSED_CHECKS, subject: accountId };
  if ((await readBucket(sql, bucket)).tokens === 0) {
    await requireSlot(sql, accountId);
    throw new AppError("too_many_refused", {});
  }
  try {
    return await check();
  } catch (error) {
    const isRefused = isAppError(error, "url_refused") || isAppError(error, "quota_exceeded");
    if (isRefused || signal?.aborted) await takeFromBucket(sql, bucket).catch(() => undefined);
    throw error;
  }
}

export async function returnLookups(deps: Deps, actor: Actor, count: number): Promise<void> {
  if (actor.by !== "operator" && count > 0)
    await returnToBucket(deps.database.sql, bucketOf(actor), count);
}
