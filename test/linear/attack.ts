import { createContext, runInContext } from "node:vm";
import { check } from "recheck";
import type { Expression } from "./source.ts";

const SIZES = [500, 5000, 50_000];
/** Of processor time for 50,000 characters: what is linear takes a hundredth, what is quadratic some seconds. */
const MAX_CPU_MS = 1000;
/** After which an expression is stopped, on a machine however busy. */
const MAX_WALL_MS = 5000;
/** By the automaton of the expression, or by a fuzzer that draws the same at each run, however long it takes. */
const SEARCH = {
  timeout: null,
  randomSeed: 20_261,
  maxIteration: 4,
  incubationLimit: 10_000,
  attackLimit: 30_000_000,
} as const;

type Make = (length: number) => string;

/** Texts on which a model of the expression takes more steps than it has characters, each of any length. */
async function findAttacks({ source, flags }: Expression): Promise<Make[]> {
  const found = await check(source, flags, SEARCH);
  if (found.status === "unknown") throw new Error(`/${source}/: ${found.error.kind}`);
  if (found.status === "safe") return [];
  const { pumps, suffix } = found.attack;
  return [
    (length) => {
      const times = Math.ceil(length / Math.max(1, pumps.map(({ pump }) => pump).join("").length));
      return pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join("") + suffix;
    },
  ];
}

/** The milliseconds of processor time that the engine takes for all matches in a text; Infinity where it was stopped. */
function measure({ source, flags }: Expression, text: string): number {
  const context = createContext({ source, flags: `${flags.replace("g", "")}g`, text });
  const before = process.cpuUsage();
  try {
    runInContext("text.replace(new RegExp(source, flags), '')", context, { timeout: MAX_WALL_MS });
  } catch {
    return Infinity;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The text on which the expression takes a time that is not linear in it; undefined where no attack does that. */
export async function findSlowText(expression: Expression): Promise<string | undefined> {
  for (const make of await findAttacks(expression))
    for (const size of SIZES) {
      const text = make(size);
      if (measure(expression, text) > MAX_CPU_MS) return `${text.slice(0, 60)}… (${text.length})`;
    }
  return undefined;
}
