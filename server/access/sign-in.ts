import { useChallenge } from "../db/accounts/challenges.ts";
import {
  findPasswordOfAccount,
  lockPassword,
  type AccountWithPassword,
  type StoredPassword,
} from "../db/accounts/passwords.ts";
import type { ClientInfo } from "../db/accounts/sessions.ts";
import type { Deps } from "../deps.ts";
import { AppError, isAppError } from "../base/errors.ts";
import { issueChallenge, readChallenge } from "./challenges.ts";
import { afterPassword, consumeSignInCode, needsPasskey } from "./second-factor.ts";
import { openSession } from "./sessions.ts";
import { findFactors } from "../db/accounts/second-factors.ts";
import { tryPassword } from "./password-tries.ts";

export const HALF_SECONDS = 600;
const HALF = /^(acc_\w{1,40})\.(.{1,200})$/;

/** A sign-in that still needs its second factor. The server stores nothing about it. */
export interface HalfSignIn {
  accountId: string;
  /** The value of a cookie in the browser that started the sign-in. It is valid for ten minutes. */
  half: string;
}

export interface FoundHalf extends AccountWithPassword {
  challenge: { id: string; expiresAt: Date };
}

/** Contains the password's hash, so a change of password voids the challenge. */
const purposeOf = ({ accountId, passwordHash }: StoredPassword) =>
  `second factor of ${accountId} ${passwordHash}`;

export async function beginHalf(deps: Deps, stored: StoredPassword): Promise<HalfSignIn> {
  const challenge = await issueChallenge(deps, purposeOf(stored), HALF_SECONDS);
  const { accountId } = stored;
  return { accountId, half: `${accountId}.${challenge}` };
}

export async function findHalf(deps: Deps, half: string): Promise<FoundHalf | undefined> {
  const [, accountId = "", text = ""] = HALF.exec(half) ?? [];
  const stored = await findPasswordOfAccount(deps.database.sql, accountId);
  const challenge = stored && (await readChallenge(deps, purposeOf(stored), text));
  return challenge && { ...stored, challenge };
}

/** Throws `sign_in_code_wrong`, `too_often`, and `sign_in_refused` if the sign-in was finished or voided in the meantime. */
export function finishHalf(
  deps: Deps,
  half: FoundHalf,
  code: string,
  client: ClientInfo,
): Promise<NewSession> {
  const { accountId, email, challenge } = half;
  return afterPassword(deps, { email, accountId, address: client.address }, async (sql) => {
    const isGood =
      (await lockPassword(sql, half)) &&
      (await useChallenge(sql, challenge.id, challenge.expiresAt));
    if (!isGood) throw new AppError("sign_in_refused", {});
    const { secret, actor } = await openSession(sql, accountId, client);
    await consumeSignInCode(deps, sql, actor, code);
    return { accountId, secret };
  });
}

const MAX_EMAIL_LENGTH = 320;

/** PostgreSQL rejects text that contains NUL. */
const normalizeEmail = (typed: string) =>
  typed.trim().toLowerCase().slice(0, MAX_EMAIL_LENGTH).replaceAll("\0", "\ufffd");

export interface NewSession {
  accountId: string;
  secret: string;
}

/** Undefined if the password was changed in the meantime. */
async function begin(
  deps: Deps,
  stored: StoredPassword,
  client: ClientInfo,
): Promise<NewSession | HalfSignIn | undefined> {
  const { accountId } = stored;
  const begun = await deps.database.begin(async (sql) => {
    if (!(await lockPassword(sql, stored))) return undefined;
    const factors = await findFactors(sql, accountId);
    if (factors.hasSecondFactor || needsPasskey(deps, factors)) return "half";
    const { secret } = await openSession(sql, accountId, client);
    return { accountId, secret };
  });
  return begun === "half" ? beginHalf(deps, stored) : begun;
}

function ignoreWrongPassword(error: unknown): undefined {
  if (!isAppError(error, "password_wrong")) throw error;
}

/** Throws `sign_in_refused` for a wrong address and for a wrong password alike. Also throws `too_often` and `busy`. */
export async function signIn(
  deps: Deps,
  typed: { email: string; password: string },
  client: ClientInfo,
): Promise<NewSession | HalfSignIn> {
  const { address } = client;
  const attempt = { email: normalizeEmail(typed.email), password: typed.password, address };
  const stored = await tryPassword(deps, attempt).catch(ignoreWrongPassword);
  const begun = stored && (await begin(deps, stored, client));
  if (begun !== undefined) return begun;
  deps.log.warn({ address }, "sign-in refused");
  throw new AppError("sign_in_refused", {});
}
