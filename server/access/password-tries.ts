import { returnToBucket, takeFromBucket, type Bound, type Bucket } from "../db/checks/buckets.ts";
import { exchangePassword, findPassword, type StoredPassword } from "../db/accounts/passwords.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { isHashOutdated, renewHash, verifyPassword } from "./passwords.ts";

const HOUR = 3600;
const OF_EMAIL: Bound = { name: "failed sign-ins by e-mail", capacity: 10, seconds: HOUR };
const OF_ADDRESS: Bound = { name: "failed sign-ins by address", capacity: 30, seconds: HOUR };
const MAX_WAIT_MS = 25_000;

/** Somebody who types a password. */
export interface PasswordTry {
  /** As addresses are stored. */
  email: string;
  password: string;
  /** The address that the request came from (`findVisitor`). */
  address: string;
  /** The account whose session it is typed in. */
  accountId?: string;
}

/** The first 48 bits of an IPv6 address, which one organization may have to itself; an IPv4 address as it is. */
export function networkOf(address: string): string {
  const [prefix = ""] = address.split("::", 1);
  return address.includes(":")
    ? prefix
        .split(":")
        .slice(0, 3)
        .join(":")
        .replace(/(?::0)+$/, "")
    : address;
}

/** Takes from each bucket, or from none. Throws `too_often`. */
async function takeFromAll({ database }: Deps, buckets: readonly Bucket[]): Promise<void> {
  const taken: Bucket[] = [];
  for (const bucket of buckets) {
    const retryAfterSeconds = await takeFromBucket(database.sql, bucket);
    if (retryAfterSeconds === null) {
      taken.push(bucket);
      continue;
    }
    await giveBack({ database }, taken);
    throw new AppError("too_often", { what: bucket.bound.name, retryAfterSeconds });
  }
}

async function giveBack(
  { database }: Pick<Deps, "database">,
  buckets: readonly Bucket[],
): Promise<void> {
  for (const bucket of buckets) await returnToBucket(database.sql, bucket);
}

/** Brings a hash up to the present cost. Undefined if somebody changed the password meanwhile. */
async function renew(
  deps: Deps,
  stored: StoredPassword,
  password: string,
  whose: string,
): Promise<StoredPassword | undefined> {
  const passwordHash = await renewHash(deps, password, whose);
  const isRenewed = await exchangePassword(deps.database.sql, stored, passwordHash);
  return isRenewed ? { ...stored, passwordHash } : undefined;
}

async function compare(
  deps: Deps,
  { email, password }: PasswordTry,
  whose: string,
): Promise<StoredPassword | undefined> {
  const stored = await findPassword(deps.database.sql, email);
  const hash = stored?.passwordHash ?? null;
  if (!(await verifyPassword(deps, hash, password, whose)) || stored === undefined || hash === null)
    return undefined;
  return isHashOutdated(hash) ? renew(deps, stored, password, whose) : stored;
}

/**
 * Whose password this is; undefined if it is nobody's, which takes as long. Each try is counted before it is made and,
 * unless it was wrong, given back, so that however many are made at once no more fail than may. Those of one account's
 * sessions, and else of one network, are made one after the other, so that right ones do not use up the bound together,
 * and whoever has a large network delays nobody elsewhere. Throws `too_often`, and `busy`.
 */
export async function tryPassword(
  deps: Deps,
  attempt: PasswordTry,
): Promise<StoredPassword | undefined> {
  const { email, address, accountId: whose = networkOf(address) } = attempt;
  const buckets = [
    { bound: OF_ADDRESS, subject: address },
    { bound: OF_EMAIL, subject: email },
  ];
  const release = await deps.passwordTries.acquire(whose, MAX_WAIT_MS);
  try {
    await takeFromAll(deps, buckets);
    let isWrong = false;
    try {
      const stored = await compare(deps, attempt, whose);
      isWrong = stored === undefined;
      return stored;
    } finally {
      if (!isWrong) await giveBack(deps, buckets);
    }
  } finally {
    release();
  }
}
