import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { signStandard } from "../projects/hooks.ts";
import { oneLine } from "../base/syntax/text.ts";
import type { ReportedDeployment } from "../projects/deployments.ts";

/** A request's headers, by their names in lower case. */
type Headers = ReadonlyMap<string, string>;

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

/** `2021-04-28 21:50:00 +0200` or `... UTC`, as GitLab writes times. */
const RUBY_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) (?:([+-]\d\d):?(\d\d)|UTC)$/;

/** A time as a provider writes it: ISO 8601, milliseconds since 1970, or Ruby's way; null if it is none. */
export function readTime(value: string | number | null | undefined): Date | null {
  if (value === null || value === undefined) return null;
  const time = typeof value === "number" ? value : readText(value);
  return Number.isFinite(time) && time >= 0 && time < 8e15 ? new Date(time) : null;
}

function readText(text: string): number {
  const [, day, time, hours, minutes] = RUBY_TIME.exec(text) ?? [];
  if (day === undefined) return /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : Number.NaN;
  return Date.parse(`${day}T${time}${hours === undefined ? "Z" : `${hours}:${minutes}`}`);
}

/** What an event tells of a deployment, or why it counts for nothing. */
type Reading =
  | (Omit<ReportedDeployment, "eventKey" | OptionalField> &
      Partial<Pick<ReportedDeployment, OptionalField>>)
  | { ignored: string };

/** What only providers say whose hooks can answer. */
type OptionalField = "repositories" | "failed";

/** How one host of deployments signs what it sends, and what it says. */
export interface Provider {
  findFault(sent: Sent, secret: Secret): SignatureFault | undefined;
  /** The event's name, as the provider writes it. */
  nameEvent(headers: Headers, payload: unknown): string | undefined;
  /** The delivery's own id; undefined where the provider sends none. */
  findDeliveryId(headers: Headers, payload: unknown): string | undefined;
  /** What an event of this name says; `payload` is any JSON. */
  read(event: string, payload: unknown): Reading;
}

/** A ref such as `feature/tea` as part of a path. */
export const encodePath = (ref: string): string =>
  encodeURIComponent(oneLine(ref, 1000)).replaceAll("%2F", "/");

/** The reading of an event that counts, but lacks a field that is needed. */
export const INCOMPLETE: Reading = { ignored: "incomplete" };
