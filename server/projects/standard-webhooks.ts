import { createHmac } from "node:crypto";

/** A signature of Standard Webhooks 1.0: an HMAC over a delivery's id, its time in whole seconds and its body. */
export function signStandard(
  key: Buffer,
  { id, seconds, body }: { id: string; seconds: string; body: string | Buffer },
): string {
  const code = createHmac("sha256", key).update(`${id}.${seconds}.`).update(body);
  return `v1,${code.digest("base64")}`;
}
