import { spawnSync } from "node:child_process";

/** A command line to time. */
export interface Timed {
  readonly name: string;
  readonly command: readonly string[];
}

/** Time from start to exit. */
export interface Timing {
  readonly medianMs: number;
  /** The run that other work on the machine disturbed least. */
  readonly fastestMs: number;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

function timeOnce(
  { command: [file = "", ...args] }: Timed,
  env: Readonly<Record<string, string>>,
): number {
  const start = performance.now();
  spawnSync(file, args, { env: { ...env }, stdio: "ignore" });
  return performance.now() - start;
}

/**
 * Times the commands in turn, so that a disturbance of the machine affects all of them; returns the timings by name.
 */
export function timeInTurn(
  timed: readonly Timed[],
  runs: number,
  env: Readonly<Record<string, string>>,
): (name: string) => Timing {
  const samples = new Map<string, number[]>(timed.map(({ name }) => [name, []]));
  for (let run = 0; run < runs; run++)
    for (const one of timed) samples.get(one.name)?.push(timeOnce(one, env));
  return (name) => {
    const own = samples.get(name) ?? [];
    return { medianMs: median(own), fastestMs: Math.min(...own) };
  };
}
