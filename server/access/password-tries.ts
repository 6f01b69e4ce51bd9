import { returnToBucket, takeFromBucket, type Bound, type Bucket } from "../db/checks/buckets.ts";
import { exchangePassword, findPassword, type StoredPassword } from "../db/accounts/passwords.ts";
import type { Deps, StoreDeps } from "../deps.ts";
import { AppError, isAppError } from "../base/errors.ts";
import {
  hashPassword,
  isHashOutdated,
  renewHash,
  verifyPassword,
  withPasswordPermit,
} from "./passwords.ts";

const HOUR = 3600;
const OF_EMAIL: Bound = { name: "failed sign-ins by e-mail", capacity: 10, seconds: HOUR };
const OF_ADDRESS: Bound = { name: "failed sign-ins by address", capacity: 30, seconds: HOUR };

const wrong = () => new AppError("password_wrong", {});

export interface PasswordTry {
  /** The address in its stored form. */
  email: string;
  password: string;
  /** The IP address (`findVisitor`). */
  address: string;
  /** The account of the session in which the password was typed. */
  accountId?: string;
}

async function takeFromAll({ database }: StoreDeps, buckets: readonly Bucket[]): Promise<void> {
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

export const bucketsOf = ({ email, address }: Pick<PasswordTry, "email" | "address">): Bucket[] => [
  { bound: OF_ADDRESS, subject: address },
  { bound: OF_EMAIL, subject: email },
];

/** Links have separate buckets, so that wrong passwords do not lock out a user who has a link. */
export const bucketsOfLinks = (accountId: string | null): Bucket[] =>
  accountId === null ? [] : [{ bound: OF_EMAIL, subject: accountId }];

/** An attempt counts as failed before it starts, so parallel attempts cannot exceed the limit. Throws `too_often`. */
export async function countFailures<Result>(
  deps: Deps,
  buckets: readonly Bucket[],
  work: () => Promise<Result>,
): Promise<Result> {
  await takeFromAll(deps, buckets);
  let isWrong = false;
  try {
    return await work();
  } catch (error) {
    isWrong = isAppError(error, "password_wrong", "sign_in_code_wrong");
    throw error;
  } finally {
    if (!isWrong) await giveBack(deps, buckets);
  }
}

/** Throws `password_wrong` if the password was changed in the meantime. */
async function renew(
  deps: Deps,
  stored: StoredPassword,
  password: string,
): Promise<StoredPassword> {
  const passwordHash = await renewHash(password);
  if (!(await exchangePassword(deps.database.sql, stored, passwordHash))) throw wrong();
  return { ...stored, passwordHash };
}

async function compare(deps: Deps, { email, password }: PasswordTry): Promise<StoredPassword> {
  const stored = await findPassword(deps.database.sql, email);
  const hash = stored?.passwordHash ?? null;
  if (!(await verifyPassword(hash, password)) || stored === undefined || hash === null)
    throw wrong();
  return isHashOutdated(hash) ? renew(deps, stored, password) : stored;
}

/** Takes the same time for a wrong password as for an unknown address. Throws `password_wrong`, `too_often` and `busy`. */
export async function tryPassword(deps: Deps, attempt: PasswordTry): Promise<StoredPassword> {
  const { address, accountId } = attempt;
  return withPasswordPermit(deps, accountId === undefined ? { address } : { accountId }, () =>
    countFailures(deps, bucketsOf(attempt), () => compare(deps, attempt)),
  );
}

/** Throws `password_refused` and `busy`. */
export const hashOfVisitor = (deps: Deps, text: string, address: string): Promise<string> =>
  withPasswordPermit(deps, { address }, () => hashPassword(text));
