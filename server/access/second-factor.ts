import { Secret, TOTP } from "otpauth";
import { hash } from "node:crypto";
import type { ForAccount, Manager, SessionActor } from "../db/accounts/actors.ts";
import { insertEvent } from "../db/accounts/events.ts";
import { deletePasskeys } from "../db/accounts/passkeys.ts";
import {
  deleteSecondFactor,
  findFactors,
  insertSecondFactor,
  replaceRecoveryCodes,
  useRecoveryCode,
  useStep,
  type SignInMethods,
} from "../db/accounts/second-factors.ts";
import { lockAccount } from "../db/accounts/tokens.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps, StoreDeps } from "../deps.ts";
import { AppError, isAppError } from "../base/errors.ts";
import { bucketsOf, countFailures } from "./password-tries.ts";
import { endOtherSessions } from "./sessions.ts";

/** Recommended by RFC 4226. */
const SECRET_BYTES = 20;
/** Long enough to be stored as a plain hash (ASVS 6.5.2). */
const RECOVERY_BYTES = 15;
/** Accepts codes from a clock that is off by this many steps of 30 seconds, in either direction. */
const WINDOW = 1;
const CODE = /^[0-9]{6}$/;

export const makeSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

export const makeRecoveryCode = (): string => new Secret({ size: RECOVERY_BYTES }).base32;

export const uriOf = (secret: string, email: string): string =>
  new TOTP({ issuer: "shipscore", label: email, secret }).toString();

/** Returns the number of the code's time step since 1970. */
export function findStep(secret: string, code: string, now: Date): number | undefined {
  if (!CODE.test(code)) return undefined;
  const timestamp = now.getTime();
  const totp = new TOTP({ secret });
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}

const RECOVERY_CODES = 10;
const RECOVERY_CODE = /^[A-Z2-7]{24}$/;
const MAX_TYPED_LENGTH = 100;

const fingerprintOf = (code: string) => hash("sha256", code, "buffer");
const wrong = () => new AppError("sign_in_code_wrong", {});
const stale = () => new AppError("form_stale", {});

/** Removes the spaces and hyphens that a code is shown with. */
const normalizeCode = (typed: string) =>
  typed.slice(0, MAX_TYPED_LENGTH).replace(/[\s-]/g, "").toUpperCase();

export interface NewSecondFactor {
  /** Base32, to be typed into an app. */
  secret: string;
  uri: string;
  /** The sealed secret, which `turnOnSecondFactor` accepts. The server stores nothing before that call. */
  sealed: string;
}

function openSealed(
  { secretBox }: StoreDeps,
  accountId: string,
  sealed: string,
): string | undefined {
  try {
    return secretBox.open(Buffer.from(sealed, "base64url"), accountId);
  } catch (error) {
    if (isAppError(error, "secret_key_wrong", "secret_key_missing")) return undefined;
    throw error;
  }
}

/** Reuses the secret in `sealed` if it belongs to this account; otherwise makes a new one. Throws `secret_key_missing`. */
export function prepareSecondFactor(
  deps: Deps,
  { accountId, email }: { accountId: string; email: string },
  sealed: string,
): NewSecondFactor {
  const known = openSealed(deps, accountId, sealed);
  const secret = known ?? makeSecret();
  const kept = known ? sealed : deps.secretBox.seal(secret, accountId).toString("base64url");
  return { secret, uri: uriOf(secret, email), sealed: kept };
}

async function createRecoveryCodes(sql: Sql, accountId: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, makeRecoveryCode);
  await replaceRecoveryCodes(sql, accountId, codes.map(fingerprintOf));
  return codes;
}

/** The returned recovery codes cannot be read again. Throws `sign_in_code_wrong`, and `form_stale` if the second factor is already on. */
export async function turnOnSecondFactor(
  deps: Deps,
  actor: SessionActor,
  { sealed, code, now }: { sealed: string; code: string; now: Date },
): Promise<string[]> {
  const { accountId } = actor;
  const secret = openSealed(deps, accountId, sealed);
  const step = secret === undefined ? undefined : findStep(secret, normalizeCode(code), now);
  if (step === undefined) throw wrong();
  return deps.database.begin(async (sql) => {
    await lockAccount(sql, accountId);
    const factor = { accountId, secret: Buffer.from(sealed, "base64url"), step };
    if (!(await insertSecondFactor(sql, factor))) throw stale();
    await insertEvent(sql, actor, { action: "second_factor.on", accountId });
    await endOtherSessions(sql, actor, accountId);
    return createRecoveryCodes(sql, accountId);
  });
}

export function renewRecoveryCodes(
  { database }: StoreDeps,
  actor: SessionActor,
): Promise<string[]> {
  const { accountId } = actor;
  return database.begin(async (sql) => {
    await lockAccount(sql, accountId);
    if (!(await findFactors(sql, accountId)).hasSecondFactor) throw stale();
    await insertEvent(sql, actor, { action: "second_factor.codes_renewed", accountId });
    return createRecoveryCodes(sql, accountId);
  });
}

/** For the operator, also removes the passkeys, since the user may have lost the phone that holds them. */
export function turnOffSecondFactor(
  { database }: StoreDeps,
  actor: ForAccount<Manager>,
): Promise<void> {
  const { accountId } = actor;
  return database.begin(async (sql) => {
    await lockAccount(sql, accountId);
    await deleteSecondFactor(sql, accountId);
    const passkeys = actor.by === "operator" ? await deletePasskeys(sql, accountId) : 0;
    const details = { passkeys };
    await insertEvent(sql, actor, { action: "second_factor.off", accountId, details });
    await endOtherSessions(sql, actor, accountId);
  });
}

/** If every account needs a second factor, an account that has only passkeys must sign in with a passkey. */
export const needsPasskey = ({ config }: Pick<Deps, "config">, ways: SignInMethods): boolean =>
  config.needsSecondFactor && ways.hasPasskeys && !ways.hasSecondFactor;

export const needsSetUp = ({ config }: Pick<Deps, "config">, ways: SignInMethods): boolean =>
  config.needsSecondFactor && !ways.hasPasskeys && !ways.hasSecondFactor;

/** Must run inside the transaction that needs the code. Throws `sign_in_code_wrong`. */
export async function consumeCode(
  { secretBox }: StoreDeps,
  sql: Sql,
  actor: SessionActor,
  typed: string,
): Promise<void> {
  const { accountId } = actor;
  const { secret, now } = await findFactors(sql, accountId);
  if (secret === null) return;
  const code = normalizeCode(typed);
  if (RECOVERY_CODE.test(code)) {
    if (!(await useRecoveryCode(sql, accountId, fingerprintOf(code)))) throw wrong();
    await insertEvent(sql, actor, { action: "second_factor.recovery_code_used", accountId });
    return;
  }
  const step = findStep(secretBox.open(secret, accountId), code, now);
  if (step === undefined || !(await useStep(sql, accountId, step))) throw wrong();
}

/** Accepts no code for an account that must sign in with a passkey. */
export async function consumeSignInCode(
  deps: Deps,
  sql: Sql,
  actor: SessionActor,
  typed: string,
): Promise<void> {
  if (needsPasskey(deps, await findFactors(sql, actor.accountId))) throw wrong();
  await consumeCode(deps, sql, actor, typed);
}

interface AfterPassword extends Pick<SessionActor, "accountId" | "address"> {
  email: string;
  sessionId?: string | null;
}

/** A wrong code counts as a failed sign-in, and is recorded because someone knows the password. Throws `too_often`. */
export function afterPassword<Result>(
  deps: Deps,
  { email, accountId, address, sessionId = null }: AfterPassword,
  work: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const buckets = bucketsOf({ email, address });
  return countFailures(deps, buckets, () => deps.database.begin(work)).catch(async (error) => {
    const actor = { by: "session", accountId, address, sessionId } as const;
    const event = { action: "second_factor.refused", accountId } as const;
    if (isAppError(error, "sign_in_code_wrong"))
      await deps.database.begin((sql) => insertEvent(sql, actor, event));
    throw error;
  });
}
