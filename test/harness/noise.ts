import { createHash } from "node:crypto";

/** Bytes without a pattern, the same in every run. */
export function noise(length: number, seed = "shipscore"): Buffer {
  return createHash("shake256", { outputLength: length }).update(seed).digest();
}
