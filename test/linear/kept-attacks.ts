import { readFileSync, writeFileSync } from "node:fs";
import { type Attack, SEARCHER } from "./search.ts";
import type { Expression } from "./source.ts";

const FILE = new URL("attacks.json", import.meta.url);

/** The attack found on each expression, or null; by its text and flags, so that one that changes has none kept. */
interface KeptAttacks {
  searcher: typeof SEARCHER;
  attacks: Record<string, Attack | null>;
}

export const keyOf = ({ source, flags }: Expression): string => `/${source}/${flags}`;

export function readAttacks(): KeptAttacks {
  return JSON.parse(readFileSync(FILE, "utf8")) as KeptAttacks;
}

export function writeAttacks(attacks: ReadonlyMap<string, Attack | null>): void {
  const lines = [...attacks].map(
    ([key, attack]) => `${JSON.stringify(key)}: ${JSON.stringify(attack)}`,
  );
  writeFileSync(
    FILE,
    `{"searcher": ${JSON.stringify(SEARCHER)}, "attacks": {\n${lines.toSorted().join(",\n")}\n}}\n`,
  );
}
