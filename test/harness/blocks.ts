import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * The longest time, in milliseconds, for which the work blocks the event loop. The best of several runs, since garbage
 * collection comes at random. It is read each millisecond, with the wall time or the thread's CPU time since, whichever is less:
 * on a busy machine the first includes the time of others.
 */
export async function measureLongestBlock(
  work: () => Promise<unknown>,
  boundMs: number,
): Promise<number> {
  const MAX_RUNS = 32;
  let bestMs = Infinity;
  for (let run = 0; run < MAX_RUNS && bestMs > boundMs; run++)
    bestMs = Math.min(bestMs, await measureOnce(work));
  return bestMs;
}

/** The CPU time of this thread in milliseconds; where the system tells only that of the process, of all its threads. */
function readCpuMs(): number {
  try {
    return Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e6;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  }
}

async function measureOnce(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0;
  let isOver = false;
  await sleep(1);
  const running = work().finally(() => (isOver = true));
  let [at, cpuMs] = [performance.now(), readCpuMs()];
  while (!isOver) {
    await sleep(1);
    longestMs = Math.max(longestMs, Math.min(performance.now() - at, readCpuMs() - cpuMs));
    [at, cpuMs] = [performance.now(), readCpuMs()];
  }
  await running;
  return longestMs;
}
