import { createHmac, hash, timingSafeEqual } from "node:crypto";
import { signStandard } from "../projects/hooks.ts";
import { oneLine } from "../base/syntax/text.ts";
import type { ReportedDeployment } from "../projects/deployments.ts";

/** Maps names in lower case to values. */
type Headers = ReadonlyMap<string, string>;

/** `rawHeaders` alternates names and values. A repeated header becomes empty, so it is never a valid signature. */
export function readHeaders(rawHeaders: readonly string[]): Headers {
  const headers = new Map<string, string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? "";
    headers.set(name, headers.has(name) ? "" : (rawHeaders[at + 1] ?? ""));
  }
  return headers;
}

export interface HookRequest {
  readonly headers: Headers;
  readonly body: Buffer;
  /** The time by the database's clock. */
  readonly now: Date;
}

export interface Secret {
  readonly text: string;
  readonly key: Buffer;
}

/** `handed over` and `no secret` mean that the hook has no secret to verify a signature with. */
export type SignatureFault = "signature" | "clock" | "handed over" | "no secret";

const MAX_SKEW_SECONDS = 300;
const MAX_SIGNATURES = 10;

export const isEqual = (a: string, b: string): boolean =>
  timingSafeEqual(hash("sha256", a, "buffer"), hash("sha256", b, "buffer"));

export const compareSignature = (
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

/** Standard Webhooks 1.0: of several signatures, one valid signature is enough. */
export function findStandardFault({ headers, body, now }: HookRequest, { key }: Secret) {
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

/** GitLab's format: `2021-04-28 21:50:00 +0200` or `2021-04-28 21:50:00 UTC`. */
const RUBY_TIME = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) (?:([+-]\d\d):?(\d\d)|UTC)$/;

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

type EventReading =
  | (Omit<ReportedDeployment, "eventKey" | OptionalField> &
      Partial<Pick<ReportedDeployment, OptionalField>>)
  | { ignored: string };

/** Only providers with commit statuses set these fields. */
type OptionalField = "repositories" | "failed";

export interface Provider {
  findFault(request: HookRequest, secret: Secret): SignatureFault | undefined;
  nameEvent(headers: Headers, payload: unknown): string | undefined;
  findDeliveryId(headers: Headers, payload: unknown): string | undefined;
  read(event: string, payload: unknown): EventReading;
}

export const encodePath = (ref: string): string =>
  encodeURIComponent(oneLine(ref, 1000)).replaceAll("%2F", "/");

export const INCOMPLETE: EventReading = { ignored: "incomplete" };
