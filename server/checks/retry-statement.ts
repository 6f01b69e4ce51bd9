import { setTimeout as sleep } from "node:timers/promises";
import { isAppError } from "../base/errors.ts";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/** The pauses grow, so that the database can recover. `ask` must be idempotent: its answer may be lost. */
export async function retryStatement<Answer>(
  ask: () => Promise<Answer>,
  forMs: number,
  stopping: AbortSignal,
): Promise<Answer> {
  const deadline = performance.now() + forMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await ask();
    } catch (error) {
      const isAway = isAppError(error, "unavailable");
      if (!isAway || performance.now() >= deadline) throw error;
    }
    await sleep(Math.min(pauseMs, deadline - performance.now()), undefined, { signal: stopping });
  }
}
