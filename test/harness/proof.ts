import { createHash } from "node:crypto";
import type { Proof } from "../../server/scan/proof.ts";

/** The first nonce from `from` on whose hash begins with that many zero bits. */
export function solve(challenge: string, bits: number, from = 0): Proof {
  for (let nonce = from; ; nonce++) {
    const digest = createHash("sha256").update(`${challenge}${nonce}`).digest();
    if (digest.readUInt32BE(0) >>> (32 - bits) === 0) return { challenge, nonce: String(nonce) };
  }
}
