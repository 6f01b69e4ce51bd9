import { holdPassword, type StoredPassword } from "../db/accounts/passwords.ts";
import type { ClientInfo } from "../db/accounts/sessions.ts";
import type { Deps } from "../deps.ts";
import { findFactors } from "../db/accounts/second-factors.ts";
import { AppError, isAppError } from "../base/errors.ts";
import { beginHalf, type HalfSignIn } from "./half-sign-in.ts";
import { tryPassword } from "./password-tries.ts";
import { needsPasskey } from "./second-factor.ts";
import { openSession } from "./sessions.ts";

/** Longer than any e-mail address. */
const MAX_EMAIL_LENGTH = 320;

/** As addresses are stored, if it is one. The database takes no text with a NUL. */
const spellEmail = (typed: string) =>
  typed.trim().toLowerCase().slice(0, MAX_EMAIL_LENGTH).replaceAll("\0", "\ufffd");

export interface Begun {
  accountId: string;
  secret: string;
}

/**
 * A session; for an account with a second factor, what lacks it. Undefined if somebody changed the password meanwhile.
 */
async function begin(
  deps: Deps,
  stored: StoredPassword,
  client: ClientInfo,
): Promise<Begun | HalfSignIn | undefined> {
  const { accountId } = stored;
  const begun = await deps.database.begin(async (sql) => {
    if (!(await holdPassword(sql, stored))) return undefined;
    const factors = await findFactors(sql, accountId);
    if (factors.hasSecondFactor || needsPasskey(deps, factors)) return "half";
    const { secret } = await openSession(sql, accountId, client);
    return { accountId, secret };
  });
  return begun === "half" ? beginHalf(deps, stored) : begun;
}

/** Undefined for nobody's password. */
function asNobody(error: unknown): undefined {
  if (!isAppError(error, "password_wrong")) throw error;
}

/**
 * Signs in by e-mail address and password, with a second factor halfway. Throws `sign_in_refused`, the same for either,
 * `too_often` and `busy`.
 */
export async function signIn(
  deps: Deps,
  typed: { email: string; password: string },
  client: ClientInfo,
): Promise<Begun | HalfSignIn> {
  const { address } = client;
  const attempt = { email: spellEmail(typed.email), password: typed.password, address };
  const stored = await tryPassword(deps, attempt).catch(asNobody);
  const begun = stored && (await begin(deps, stored, client));
  if (begun !== undefined) return begun;
  deps.log.warn({ address }, "sign-in refused");
  throw new AppError("sign_in_refused", {});
}
