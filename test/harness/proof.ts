import { hash } from "node:crypto";
import type { Proof } from "../../server/scan/proof.ts";

/** With how many zero bits a proof's hash begins. */
export const countBits = ({ challenge, nonce }: Proof): number =>
  Math.clz32(hash("sha256", `${challenge}${nonce}`, "buffer").readUInt32BE(0));

/** The first nonce from `from` on whose hash begins with that many zero bits. */
export function solve(challenge: string, bits: number, from = 0): Proof {
  for (let nonce = from; ; nonce++) {
    const proof = { challenge, nonce: String(nonce) };
    if (countBits(proof) >= bits) return proof;
  }
}
