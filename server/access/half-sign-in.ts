import { useChallenge } from "../db/accounts/challenges.ts";
import {
  findPasswordOf,
  holdPassword,
  type AccountWithPassword,
  type StoredPassword,
} from "../db/accounts/passwords.ts";
import type { ClientInfo } from "../db/accounts/sessions.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { issueChallenge, readChallenge } from "./challenges.ts";
import { afterPassword, takeSignInCode } from "./second-factor.ts";
import { openSession } from "./sessions.ts";
import type { Begun } from "./sign-in.ts";

export const HALF_SECONDS = 600;
const HALF = /^(acc_\w{1,40})\.(.{1,200})$/;

/** A sign-in that lacks its second factor. Nothing of it is stored. */
export interface HalfSignIn {
  accountId: string;
  /** For a cookie of the browser that began it; good for ten minutes. */
  half: string;
}

/** A half sign-in that is gone on with. */
export interface FoundHalf extends AccountWithPassword {
  challenge: { id: string; expiresAt: Date };
}

/** Void once the password is changed. */
const purposeOf = ({ accountId, passwordHash }: StoredPassword) =>
  `second factor of ${accountId} ${passwordHash}`;

export async function beginHalf(deps: Deps, stored: StoredPassword): Promise<HalfSignIn> {
  const challenge = await issueChallenge(deps, purposeOf(stored), HALF_SECONDS);
  const { accountId } = stored;
  return { accountId, half: `${accountId}.${challenge}` };
}

/** Undefined if it is too old, void, or never was. */
export async function findHalf(deps: Deps, half: string): Promise<FoundHalf | undefined> {
  const [, accountId = "", text = ""] = HALF.exec(half) ?? [];
  const stored = await findPasswordOf(deps.database.sql, accountId);
  const challenge = stored && (await readChallenge(deps, purposeOf(stored), text));
  return challenge && { ...stored, challenge };
}

/**
 * Signs in by a code of the second factor. A wrong one counts as a failed sign-in. Throws `sign_in_code_wrong`,
 * `too_often`, and `sign_in_refused` if it was finished or made void meanwhile.
 */
export function finishHalf(
  deps: Deps,
  half: FoundHalf,
  code: string,
  client: ClientInfo,
): Promise<Begun> {
  const { accountId, email, challenge } = half;
  return afterPassword(deps, { email, accountId, address: client.address }, async (sql) => {
    const isGood =
      (await holdPassword(sql, half)) &&
      (await useChallenge(sql, challenge.id, challenge.expiresAt));
    if (!isGood) throw new AppError("sign_in_refused", {});
    const { secret, actor } = await openSession(sql, accountId, client);
    await takeSignInCode(deps, sql, actor, code);
    return { accountId, secret };
  });
}
