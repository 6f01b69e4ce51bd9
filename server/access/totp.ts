import { Secret, TOTP } from "otpauth";

/** As RFC 4226 recommends. */
const SECRET_BYTES = 20;
/** Enough to be kept as a plain hash (ASVS 6.5.2). */
const RECOVERY_BYTES = 15;
/** How many steps of 30 seconds the clock of a phone may be off, either way. */
const WINDOW = 1;
const CODE = /^[0-9]{6}$/;

export const makeSecret = (): string => new Secret({ size: SECRET_BYTES }).base32;

export const makeRecoveryCode = (): string => new Secret({ size: RECOVERY_BYTES }).base32;

/** What an app reads from a QR code. */
export const uriOf = (secret: string, email: string): string =>
  new TOTP({ issuer: "shipscore", label: email, secret }).toString();

/** The step, counted from 1970, whose code this is; undefined if it is none of now. */
export function findStep(secret: string, code: string, now: Date): number | undefined {
  if (!CODE.test(code)) return undefined;
  const timestamp = now.getTime();
  const totp = new TOTP({ secret });
  const delta = totp.validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? undefined : totp.counter({ timestamp }) + delta;
}
