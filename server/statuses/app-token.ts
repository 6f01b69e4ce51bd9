import { createPrivateKey, sign, verify, type KeyObject } from "node:crypto";
import { promisify } from "node:util";
import * as z from "zod";
import type { StatusReporting } from "../db/deployments/status-reporting.ts";
import type { Deps } from "../deps.ts";
import { askProvider, isGood, readJson, type Asked } from "./ask.ts";
import { getProvider } from "./providers.ts";

/** What a token is made for. */
type AppReporting = Pick<
  StatusReporting,
  "api" | "repository" | "comments" | "appId" | "installationId"
>;

const InstallationToken = z.object({ token: z.string().min(1) });

/** PKCS#1 or PKCS#8. A key of 4,096 bits has at most 3,300 characters. */
const PEM =
  /^-----BEGIN (RSA )?PRIVATE KEY-----([A-Za-z\d+/=\s]{1,4000})-----END \1PRIVATE KEY-----$/;
/** What precedes an RSA key of this size in PKCS#8 (RFC 5958). */
const PKCS8_HEAD_BYTES = 26;
const MIN_BITS = 2048;
const MAX_BITS = 4096;

/**
 * The key of an app; undefined unless it is RSA of 2,048 to 4,096 bits with exponent 65537. Nothing else is parsed: a key of
 * another type, or a larger one, would hold the thread.
 */
export function findAppKey(pem: string): KeyObject | undefined {
  const [, isPkcs1, text] = PEM.exec(pem) ?? [];
  if (text === undefined) return undefined;
  const der = Buffer.from(text, "base64").subarray(isPkcs1 ? 0 : PKCS8_HEAD_BYTES);
  try {
    const key = createPrivateKey({ key: der, format: "der", type: "pkcs1" });
    const { modulusLength = 0, publicExponent } = key.asymmetricKeyDetails ?? {};
    const isOfSize = modulusLength >= MIN_BITS && modulusLength <= MAX_BITS;
    return isOfSize && publicExponent === 65_537n ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Both run in Node's thread pool, since a key with inconsistent numbers takes longer. */
const [signInPool, verifyInPool] = [promisify(sign), promisify(verify)];

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString("base64url");

/**
 * A token of 9 minutes with which an app asks for others; its clock may be a minute ahead of GitHub's. Undefined for a key that
 * cannot be used.
 */
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

/**
 * The token that a secret is, or of an app's key one of its installation that may write to the one repository, for which GitHub
 * is asked each time: it is in memory alone.
 */
export async function findToken(
  deps: Deps,
  { api, repository, comments, appId, installationId }: AppReporting,
  secret: string,
  signal: AbortSignal,
): Promise<{ token: string } | Asked> {
  if (appId === null) return { token: secret };
  const signed = await signAsApp(appId, secret);
  if (signed === undefined) return { failure: "key" };
  const permissions = { statuses: "write", ...(comments && { pull_requests: "write" }) };
  const asked = await askProvider(
    deps,
    {
      method: "POST",
      url: `${api}/app/installations/${installationId ?? ""}/access_tokens`,
      headers: { ...getProvider("github").headers(signed), "content-type": "application/json" },
      body: JSON.stringify({ repositories: [repository.split("/")[1]], permissions }),
    },
    signal,
  );
  if (!isGood(asked)) return asked;
  const { data } = InstallationToken.safeParse(readJson(asked));
  return data ?? { failure: "cut_off" };
}
