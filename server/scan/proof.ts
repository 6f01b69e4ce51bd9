import { createHash, createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { useChallenge } from "../db/challenges.ts";
import type { Deps } from "../deps.ts";

/** How many bits of the hash must be zero: a quarter of a million tries, less than a second of a browser's time. */
const BITS = 18;
const LIFETIME_SECONDS = 120;
const MAX_NONCE_LENGTH = 64;
/** The second it expires, 128 random bits, and the signature of both. */
const CHALLENGE = /^((\d{1,12})\.([\w-]{22}))\.([\w-]{43})$/;

/** A proof of work to be done: SHA-256 of the challenge and a nonce, both as text, begins with `bits` zero bits. */
export interface Challenge {
  challenge: string;
  bits: number;
  /** ISO 8601. */
  expiresAt: string;
}

/** `nonce`: 1 to 64 characters, hashed as UTF-8. */
export interface Proof {
  challenge: string;
  nonce: string;
}

const sign = (salt: Buffer, text: string) =>
  createHmac("sha256", salt).update(`challenge ${text}`).digest();

/** Makes a challenge that can be met once within two minutes, on any server of the database, by whoever has it. */
export async function makeChallenge({ salts }: Pick<Deps, "salts">): Promise<Challenge> {
  const { today, now } = await salts.find();
  const expiry = Math.ceil(now() / 1000) + LIFETIME_SECONDS;
  const text = `${expiry}.${randomBytes(16).toString("base64url")}`;
  return {
    challenge: `${text}.${sign(today, text).toString("base64url")}`,
    bits: BITS,
    expiresAt: new Date(expiry * 1000).toISOString(),
  };
}

function isMet({ challenge, nonce }: Proof): boolean {
  if (nonce.length < 1 || nonce.length > MAX_NONCE_LENGTH) return false;
  const digest = createHash("sha256").update(`${challenge}${nonce}`).digest();
  return digest.readUInt32BE(0) >>> (32 - BITS) === 0;
}

/**
 * Redeems a proof; false for one that is none, of a challenge not made here, or whose challenge has expired or been
 * redeemed before. Only a valid proof reaches the database.
 */
export async function redeemProof(
  { salts, database }: Pick<Deps, "salts" | "database">,
  proof: Proof,
): Promise<boolean> {
  const [, text = "", expiry, id = "", signature = ""] = CHALLENGE.exec(proof.challenge) ?? [];
  if (expiry === undefined) return false;
  const { today, yesterday, now } = await salts.find();
  const expiresAt = new Date(Number(expiry) * 1000);
  const isSigned = [today, ...(yesterday ? [yesterday] : [])].some((salt) =>
    timingSafeEqual(sign(salt, text), Buffer.from(signature, "base64url")),
  );
  if (!isSigned || expiresAt.getTime() <= now() || !isMet(proof)) return false;
  return useChallenge(database.sql, id, expiresAt);
}
