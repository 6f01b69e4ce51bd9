import { setTimeout as sleep } from "node:timers/promises";
import { isAppError } from "../errors.ts";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5000;

/**
 * Asks the database again for `forMs` while it is away, less and less often, so that many who do so do not keep it from
 * coming back. When an answer is lost nobody knows what was done, so `ask` must be such that it may be done twice.
 */
export async function insist<Answer>(
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
