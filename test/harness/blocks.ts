import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Returns the longest time, in milliseconds, for which the work blocks the event loop. The result is the best of several runs, because
 * garbage collection happens at random. Each interval counts its wall time or the thread's CPU time, whichever is less. On a busy machine,
 * wall time includes other processes.
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

/** The CPU time of this thread in milliseconds; on some systems only that of the whole process is available. */
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
