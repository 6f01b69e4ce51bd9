import { createHash } from "node:crypto";

/** Random-looking bytes, the same in every run. */
export function noise(length: number, seed = "shipscore"): Buffer {
  return createHash("shake256", { outputLength: length }).update(seed).digest();
}
