import { readFileSync, writeFileSync } from "node:fs";
import { type Attack, SEARCHER } from "./search.ts";
import type { Expression } from "./source.ts";

const FILE = new URL("attacks.json", import.meta.url);

/** The attacks found on each expression, by its text and flags, so that one that changes has no entry. */
interface KeptAttacks {
  searcher: typeof SEARCHER;
  attacks: Record<string, readonly Attack[]>;
}

export const keyOf = ({ source, flags }: Expression): string => `/${source}/${flags}`;

export function readAttacks(): KeptAttacks {
  return JSON.parse(readFileSync(FILE, "utf8")) as KeptAttacks;
}

export function writeAttacks(attacks: ReadonlyMap<string, readonly Attack[]>): void {
  const lines = [...attacks].map(
    ([key, found]) => `${JSON.stringify(key)}: ${JSON.stringify(found)}`,
  );
  writeFileSync(
    FILE,
    `{"searcher": ${JSON.stringify(SEARCHER)}, "attacks": {\n${lines.toSorted().join(",\n")}\n}}\n`,
  );
}
