import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Deps } from "../deps.ts";

/** A challenge contains its expiry in seconds since 1970, 128 random bits, and a signature of both. */
const CHALLENGE = /^((\d{1,12})\.([\w-]{22}))\.([\w-]{43})$/;

const sign = (salt: Buffer, purpose: string, text: string) =>
  createHmac("sha256", salt).update(`${purpose} ${text}`).digest();

/** Any server of the database can verify the challenge. Nothing is stored before the answer. */
export async function issueChallenge(
  { salts }: Pick<Deps, "salts">,
  purpose: string,
  lifetimeSeconds: number,
): Promise<string> {
  const { today, now } = await salts.find();
  const expiry = Math.ceil(now() / 1000) + lifetimeSeconds;
  const text = `${expiry}.${randomBytes(16).toString("base64url")}`;
  return `${text}.${sign(today, purpose, text).toString("base64url")}`;
}

/** Undefined if the challenge has expired or was issued for another purpose. */
export async function readChallenge(
  { salts }: Pick<Deps, "salts">,
  purpose: string,
  challenge: string,
): Promise<{ id: string; expiresAt: Date } | undefined> {
  const [, text = "", expiry, id = "", signature = ""] = CHALLENGE.exec(challenge) ?? [];
  if (expiry === undefined) return undefined;
  const { today, yesterday, now } = await salts.find();
  const expiresAt = new Date(Number(expiry) * 1000);
  const isSigned = [today, ...(yesterday ? [yesterday] : [])].some((salt) =>
    timingSafeEqual(sign(salt, purpose, text), Buffer.from(signature, "base64url")),
  );
  return isSigned && expiresAt.getTime() > now() ? { id, expiresAt } : undefined;
}
