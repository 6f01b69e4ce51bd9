import { createPrivateKey, sign, verify, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import * as z from "zod";
import type { StatusReporting } from "../db/deployments/status-reporting.ts";
import type { Deps } from "../deps.ts";
import { callProvider, isSuccess, readJson, type ProviderAnswer } from "./calls.ts";
import { getProvider } from "./providers.ts";

type AppReporting = Pick<
  StatusReporting,
  "api" | "repository" | "comments" | "appId" | "installationId"
>;

const InstallationToken = z.object({ token: z.string().min(1) });

/** PKCS#1 or PKCS#8. A key of 4,096 bits has at most 3,300 characters. */
const PEM =
  /^-----BEGIN (RSA )?PRIVATE KEY-----([A-Za-z\d+/=\s]{1,4000})-----END \1PRIVATE KEY-----$/;
/** The length of the PKCS#8 header in front of an RSA key of this size (RFC 5958). */
const PKCS8_HEAD_BYTES = 26;
export const MIN_KEY_BITS = 2048;
export const MAX_KEY_BITS = 4096;

/** Other key types and larger keys are not parsed: they would block the thread. */
export function findAppKey(pem: string): KeyObject | undefined {
  const [, isPkcs1, text] = PEM.exec(pem) ?? [];
  if (text === undefined) return undefined;
  const der = Buffer.from(text, "base64").subarray(isPkcs1 ? 0 : PKCS8_HEAD_BYTES);
  try {
    const key = createPrivateKey({ key: der, format: "der", type: "pkcs1" });
    const { modulusLength = 0, publicExponent } = key.asymmetricKeyDetails ?? {};
    const isOfSize = modulusLength >= MIN_KEY_BITS && modulusLength <= MAX_KEY_BITS;
    return isOfSize && publicExponent === 65_537n ? key : undefined;
  } catch {
    return undefined;
  }
}

/** These functions run in Node's thread pool, since a key with inconsistent numbers takes longer. */
const [signInPool, verifyInPool] = [promisify(sign), promisify(verify)];

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");

/** The token is valid for 9 minutes, even if this clock is up to a minute ahead of GitHub's. Returns undefined for an unusable key. */
export async function signAsApp(appId: string, pem: string): Promise<string | undefined> {
  const key = findAppKey(pem);
  if (key === undefined) return undefined;
  const now = Math.floor(Date.now() / 1000);
  const claims = { iat: now - 60, exp: now + 540, iss: appId };
  const signed = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}`;
  const bytes = Buffer.from(signed);
  try {
    const signature = await signInPool("sha256", bytes, key);
    const isValid = await verifyInPool("sha256", bytes, key, signature);
    return isValid ? `${signed}.${signature.toString("base64url")}` : undefined;
  } catch {
    return undefined;
  }
}

/** Requests a new token of the app each time, so that no token is stored. */
export async function findToken(
  deps: Deps,
  { api, repository, comments, appId, installationId }: AppReporting,
  secret: string,
  signal: AbortSignal,
): Promise<{ token: string } | ProviderAnswer> {
  if (appId === null) return { token: secret };
  const signed = await signAsApp(appId, secret);
  if (signed === undefined) return { failure: "key" };
  const permissions = { statuses: "write", ...(comments && { pull_requests: "write" }) };
  const answer = await callProvider(
    deps,
    {
      method: "POST",
      url: `${api}/app/installations/${installationId ?? ""}/access_tokens`,
      headers: { ...getProvider("github").headers(signed), "content-type": "application/json" },
      body: JSON.stringify({ repositories: [repository.split("/")[1]], permissions }),
    },
    signal,
  );
  if (!isSuccess(answer)) return answer;
  const { data } = InstallationToken.safeParse(readJson(answer));
  return data ?? { failure: "cut_off" };
}
