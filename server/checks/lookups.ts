import type { CredentialActor, Recorder } from "../db/accounts/actors.ts";
import { returnToBucket, takeOrRefuse, type Bound } from "../db/checks/buckets.ts";
import type { Deps } from "../deps.ts";

export const LOOKUPS_AN_HOUR = 5000;

/** Limits the DNS queries that an account can cause without a check that counts. */
const LOOKUPS: Bound = {
  name: "host names looked up of an account",
  capacity: LOOKUPS_AN_HOUR,
  seconds: 3600,
};

/** Whether a `too_often` is about host names. */
export const isOfLookups = ({ what }: { what: string }): boolean => what === LOOKUPS.name;

type Actor = CredentialActor | Recorder;

const bucketOf = ({ accountId, by }: Actor) => ({ bound: LOOKUPS, subject: accountId ?? by });

/** Takes a token for each host name that is to be looked up for an account; the operator needs none. Throws `too_often`. */
export async function takeLookups(deps: Deps, actor: Actor, count: number): Promise<void> {
  if (actor.by !== "operator" && count > 0)
    await takeOrRefuse(deps.database.sql, bucketOf(actor), count);
}

/** Gives tokens back for host names that were not looked up. */
export async function returnLookups(deps: Deps, actor: Actor, count: number): Promise<void> {
  if (actor.by !== "operator" && count > 0)
    await returnToBucket(deps.database.sql, bucketOf(actor), count);
}
