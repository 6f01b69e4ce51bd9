import { setTimeout as sleep } from "node:timers/promises";

/**
 * The longest time, in milliseconds, for which the work blocks the event loop. The best of several runs, since garbage
 * collection comes at random. It is looked at each millisecond, with the wall or CPU time since, whichever is less: on a
 * busy machine the first includes the time of other processes, the second that of other threads.
 */
export async function measureLongestBlock(
  work: () => Promise<unknown>,
  boundMs: number,
): Promise<number> {
  const MAX_RUNS = 16;
  let bestMs = Infinity;
  for (let run = 0; run < MAX_RUNS && bestMs > boundMs; run++)
    bestMs = Math.min(bestMs, await measureOnce(work));
  return bestMs;
}

async function measureOnce(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0;
  let isOver = false;
  await sleep(1);
  const running = work().finally(() => (isOver = true));
  let [at, cpu] = [performance.now(), process.cpuUsage()];
  while (!isOver) {
    await sleep(1);
    const { user, system } = process.cpuUsage(cpu);
    longestMs = Math.max(longestMs, Math.min(performance.now() - at, (user + system) / 1000));
    [at, cpu] = [performance.now(), process.cpuUsage()];
  }
  await running;
  return longestMs;
}
