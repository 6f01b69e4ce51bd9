import { createRequire } from "node:module";
import { installPackage } from "../../tools/test/installed.ts";
import type { Expression } from "./source.ts";

const VERSION = "4.5.0";

/** By the automaton of the expression, or by a fuzzer, which does not always find the same, however long it takes. */
export const SEARCH = {
  timeout: null,
  randomSeed: 20_261,
  maxIteration: 4,
  incubationLimit: 10_000,
  attackLimit: 30_000_000,
} as const;

/** What looks for attacks, and how: another one may find others. */
export const SEARCHER = { recheck: VERSION, ...SEARCH };

/** A text on which a model of the expression takes more steps than it has characters; the longer, the more often pumped. */
export interface Attack {
  pumps: readonly { prefix: string; pump: string }[];
  suffix: string;
}

type Found =
  | { status: "safe" }
  | { status: "unknown"; error: { kind: string } }
  | { status: "vulnerable"; attack: Attack };

interface Recheck {
  check: (source: string, flags: string, how: typeof SEARCH) => Promise<Found>;
}

let recheck: Promise<Recheck> | undefined;

async function loadRecheck(): Promise<Recheck> {
  const folder = await installPackage("recheck", VERSION, "recheck");
  return createRequire(import.meta.url)(folder) as Recheck;
}

/** Looks for an attack; null where there is none. */
export async function searchAttack({ source, flags }: Expression): Promise<Attack | null> {
  const { check } = await (recheck ??= loadRecheck());
  const found = await check(source, flags, SEARCH);
  if (found.status === "unknown") throw new Error(`/${source}/: ${found.error.kind}`);
  if (found.status === "safe") return null;
  const { pumps, suffix } = found.attack;
  return { pumps: pumps.map(({ prefix, pump }) => ({ prefix, pump })), suffix };
}
