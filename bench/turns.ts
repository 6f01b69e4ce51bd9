import { spawnSync } from "node:child_process";

/** A command line to time. */
export interface Timed {
  readonly name: string;
  readonly command: readonly string[];
}

export interface Sample {
  /** From start to exit. */
  readonly wallMs: number;
  /** Of the processor, in user and system mode. */
  readonly cpuMs: number;
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? Number.NaN;
}

/** What ended children have used so far, as `sh` tells it. */
function timeOnce({ command }: Timed, env: Readonly<Record<string, string>>): Sample {
  const start = performance.now();
  const shell = spawnSync("sh", ["-c", '"$@" >/dev/null 2>&1; times', "sh", ...command], {
    env: { ...env },
    encoding: "utf8",
  });
  const wallMs = performance.now() - start;
  const [user = 0, system = 0] = [
    ...shell.stdout
      .trim()
      .split("\n")
      .at(-1)!
      .matchAll(/(\d+)m([\d.]+)s/g),
  ].map(([, minutes, seconds]) => Number(minutes) * 60_000 + Number(seconds) * 1000);
  return { wallMs, cpuMs: user + system };
}

/** Times each command in turn, so that a noisy moment of the machine falls on all, and gives the medians by name. */
export function timeInTurn(
  timed: readonly Timed[],
  runs: number,
  env: Readonly<Record<string, string>>,
): (name: string) => Sample {
  const samples = new Map<string, Sample[]>(timed.map(({ name }) => [name, []]));
  for (let run = -1; run < runs; run++)
    for (const one of timed) {
      const sample = timeOnce(one, env);
      if (run >= 0) samples.get(one.name)?.push(sample);
    }
  return (name) => {
    const own = samples.get(name) ?? [];
    return {
      wallMs: median(own.map(({ wallMs }) => wallMs)),
      cpuMs: median(own.map(({ cpuMs }) => cpuMs)),
    };
  };
}
