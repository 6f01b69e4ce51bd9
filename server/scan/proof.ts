import { createHash } from "node:crypto";
import { issueChallenge, readChallenge } from "../access/challenges.ts";
import { useChallenge } from "../db/accounts/challenges.ts";
import type { Deps } from "../deps.ts";

/** How many bits of the hash must be zero: a quarter of a million tries, less than a second of a browser's time. */
export const PROOF_BITS = 18;
const LIFETIME_SECONDS = 120;
const MAX_NONCE_LENGTH = 64;
const PURPOSE = "challenge";

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

/** Makes a challenge that can be met once within two minutes, on any server of the database, by whoever has it. */
export async function makeChallenge(deps: Pick<Deps, "salts" | "proofBits">): Promise<Challenge> {
  const { challenge, expiresAt } = await issueChallenge(deps, PURPOSE, LIFETIME_SECONDS);
  return { challenge, bits: deps.proofBits, expiresAt: expiresAt.toISOString() };
}

function isMet({ challenge, nonce }: Proof, bits: number): boolean {
  if (nonce.length < 1 || nonce.length > MAX_NONCE_LENGTH) return false;
  const digest = createHash("sha256").update(`${challenge}${nonce}`).digest();
  return digest.readUInt32BE(0) >>> (32 - bits) === 0;
}

/**
 * Redeems a proof; false for one that is none, of a challenge not made here, or whose challenge has expired or been
 * redeemed before. Only a valid proof reaches the database.
 */
export async function redeemProof(
  deps: Pick<Deps, "salts" | "database" | "proofBits">,
  proof: Proof,
): Promise<boolean> {
  const known = await readChallenge(deps, PURPOSE, proof.challenge);
  if (known === undefined || !isMet(proof, deps.proofBits)) return false;
  return useChallenge(deps.database.sql, known.id, known.expiresAt);
}
