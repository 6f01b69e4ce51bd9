import { createContext, runInContext } from "node:vm";
import type { Attack } from "./search.ts";
import type { Expression } from "./source.ts";

const SIZES = [500, 5000, 50_000];
/** The most processor time for 50,000 characters: a linear expression takes a few, a quadratic one over 600 ms. */
const MAX_CPU_MS = 200;
/** After which an expression is stopped, on a machine however busy. */
const MAX_WALL_MS = 5000;

function makeText({ pumps, suffix }: Attack, length: number): string {
  const times = Math.ceil(length / Math.max(1, pumps.map(({ pump }) => pump).join("").length));
  return pumps.map(({ prefix, pump }) => prefix + pump.repeat(times)).join("") + suffix;
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

/** The text of an attack on which the expression takes a time that is not linear in it; undefined where none does that. */
export function findSlowText(
  expression: Expression,
  attacks: readonly Attack[],
): string | undefined {
  for (const attack of attacks)
    for (const size of SIZES) {
      const text = makeText(attack, size);
      if (measure(expression, text) > MAX_CPU_MS) return `${text.slice(0, 60)}… (${text.length})`;
    }
  return undefined;
}
