import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { signStandard } from "../projects/standard-webhooks.ts";

/** A request's headers, by their names in lower case. */
export type Headers = ReadonlyMap<string, string>;

/** Reads headers as they came, names and values by turns. One that came twice is empty, which no signature is. */
export function readHeaders(rawHeaders: readonly string[]): Headers {
  const headers = new Map<string, string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? "";
    headers.set(name, headers.has(name) ? "" : (rawHeaders[at + 1] ?? ""));
  }
  return headers;
}

export interface Sent {
  readonly headers: Headers;
  readonly body: Buffer;
  /** When, by the database's clock. */
  readonly now: Date;
}

export interface Secret {
  readonly text: string;
  readonly key: Buffer;
}

/** What is wrong with a request's signature; `handed over` and `no secret`: nobody has chosen a secret that could make it. */
export type SignatureFault = "signature" | "clock" | "handed over" | "no secret";

/** How far a signed time may be from now. */
const MAX_SKEW_SECONDS = 300;
const MAX_SIGNATURES = 10;

/** In a time that tells nothing of where two texts differ. */
export const isEqual = (a: string, b: string): boolean =>
  timingSafeEqual(hash("sha256", a, "buffer"), hash("sha256", b, "buffer"));

/** The fault of a signature that must be this text. */
export const faultUnless = (
  given: string | undefined,
  expected: string,
): SignatureFault | undefined =>
  given !== undefined && isEqual(given, expected) ? undefined : "signature";

export function hmac(
  algorithm: "sha1" | "sha256",
  key: Buffer,
  parts: readonly (string | Buffer)[],
): Buffer {
  const code = createHmac(algorithm, key);
  for (const part of parts) code.update(part);
  return code.digest();
}

/** Standard Webhooks 1.0: an HMAC over the delivery's id, its time and the body; one good signature of several is enough. */
export function findStandardFault({ headers, body, now }: Sent, { key }: Secret) {
  const id = headers.get("webhook-id");
  const timestamp = headers.get("webhook-timestamp");
  const signatures = headers.get("webhook-signature");
  if (!id || !signatures || timestamp === undefined || !/^\d{1,12}$/.test(timestamp))
    return "signature";
  const expected = signStandard(key, { id, seconds: timestamp, body });
  const given = signatures.split(" ", MAX_SIGNATURES);
  if (!given.some((each) => isEqual(each, expected))) return "signature";
  const skew = Math.abs(now.getTime() / 1000 - Number(timestamp));
  return skew > MAX_SKEW_SECONDS ? "clock" : undefined;
}
