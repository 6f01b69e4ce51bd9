import { setTimeout as sleep } from "node:timers/promises";
import { deleteOldChecks, deleteUnusedHosts, emptyOldAnswers, type Step } from "../db/retention.ts";
import type { Sql } from "../db/sql.ts";

const FIRST = "";

/** Repeats a step until nothing is due; it rests for as long as it worked, so that requests have their turn. */
async function repeatStep(sql: Sql, step: Step, draining: AbortSignal): Promise<void> {
  let place: string | null = FIRST;
  while (place !== null && !draining.aborted) {
    const began = performance.now();
    place = await step(sql, place);
    if (place !== null) await sleep(performance.now() - began);
  }
}

/**
 * A pass of the clean-up, to be repeated: all that is due of checks and of answers, and the next stretch of the hosts,
 * which are too many to walk at once. Any number of servers do it side by side.
 */
export function createCleanUp(sql: Sql, draining: AbortSignal): () => Promise<void> {
  let host: string | null = FIRST;
  return async () => {
    await repeatStep(sql, deleteOldChecks, draining);
    await repeatStep(sql, emptyOldAnswers, draining);
    if (!draining.aborted) host = await deleteUnusedHosts(sql, host ?? FIRST);
  };
}
