import { holdPassword, type StoredPassword } from "../db/accounts/passwords.ts";
import type { ClientInfo } from "../db/accounts/sessions.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { tryPassword } from "./password-tries.ts";
import { beginSession } from "./sessions.ts";

/** Longer than any e-mail address. */
const MAX_EMAIL_LENGTH = 320;

/** As addresses are stored, if it is one. The database takes no text with a NUL. */
const spellEmail = (typed: string) =>
  typed.trim().toLowerCase().slice(0, MAX_EMAIL_LENGTH).replaceAll("\0", "\ufffd");

/** A session that has just begun. */
export interface Begun {
  accountId: string;
  /** For the cookie. */
  secret: string;
}

/** Undefined if somebody changed the password meanwhile. */
function begin(
  { database }: Deps,
  stored: StoredPassword,
  client: ClientInfo,
): Promise<Begun | undefined> {
  return database.begin(async (sql) => {
    if (!(await holdPassword(sql, stored))) return undefined;
    const { accountId } = stored;
    return { accountId, secret: await beginSession(sql, accountId, client) };
  });
}

/**
 * Signs in by e-mail address and password. Throws `sign_in_refused`, the
 * same for either, `too_often` and `busy`.
 */
export async function signIn(
  deps: Deps,
  typed: { email: string; password: string },
  client: ClientInfo,
): Promise<Begun> {
  const { address } = client;
  const attempt = { email: spellEmail(typed.email), password: typed.password, address };
  const stored = await tryPassword(deps, attempt);
  const begun = stored && (await begin(deps, stored, client));
  if (begun !== undefined) return begun;
  deps.log.warn({ address }, "sign-in refused");
  throw new AppError("sign_in_refused", {});
}
