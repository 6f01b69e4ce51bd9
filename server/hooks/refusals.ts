import { insertDeliveries } from "../db/deployments/hook-deliveries.ts";
import type { OpenHook } from "../db/deployments/hooks.ts";
import type { Deps } from "../deps.ts";
import type { SignatureFault } from "./signature.ts";

/** As many as are shown; after these, one a second and hook. */
const BURST = 50;
const REFILL_MS = 1000;
const MAX_REMEMBERED = 1000;

/** Notes for a hook's owner what was refused, at a bounded cost however much a stranger sends. */
export type NoteRefusal = (hook: OpenHook, fault: SignatureFault) => void;

/** Takes what a hook may still note; of those hooks that had something refused last. */
function createAllowances(): (hookId: string) => boolean {
  const spent = new Map<string, number>();
  return (hookId) => {
    const now = performance.now();
    const before = Math.max(spent.get(hookId) ?? -Infinity, now - BURST * REFILL_MS);
    spent.delete(hookId);
    const isAllowed = before + REFILL_MS <= now;
    spent.set(hookId, isAllowed ? before + REFILL_MS : before);
    const [oldest] = spent.keys();
    if (spent.size > MAX_REMEMBERED && oldest !== undefined) spent.delete(oldest);
    return isAllowed;
  };
}

/** It is written after the answer, so that the answer takes no longer than that of an unknown hook. */
export function createNoteRefusal({ database, work, log }: Deps): NoteRefusal {
  const take = createAllowances();
  return (hook, fault) => {
    if (!take(hook.id)) return;
    // What it said is not read: nobody knows who sent it.
    const delivery = { event: "unknown", outcome: `refused: ${fault}`, eventKey: null };
    const writing = insertDeliveries(database.sql, hook.id, [delivery]).catch((error: unknown) => {
      log.warn({ err: error, hookId: hook.id }, "a refused delivery was not noted");
    });
    void work.add(writing);
  };
}
