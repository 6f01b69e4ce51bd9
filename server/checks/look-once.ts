import type { Deps } from "../deps.ts";
import { NO_LOOK } from "../engine/judge/look-outcome.ts";
import { KIND_LABELS } from "../base/metrics.ts";
import { Interrupted } from "../engine/visit/check-thread.ts";
import type { LookTry } from "../engine/visit/orders.ts";
import type { Threads } from "../engine/visit/threads.ts";

/** What a look needs. */
export type Looking = Pick<Deps, "threads" | "stopping" | "log" | "metrics">;

/** Looks at a URL once, in a thread. Never rejects: a fault of our own is a look that could not be made. */
export async function lookOnce(
  deps: Looking,
  order: Parameters<Threads["look"]>[0],
  onAsking?: () => void,
): Promise<LookTry> {
  const { threads, stopping, log, metrics } = deps;
  const lost = { look: NO_LOOK, known: [] };
  try {
    const { result, faults } = await threads.look(order, stopping, onAsking);
    for (const { rule, error } of faults) {
      metrics.ruleFailures.inc({ rule: rule ?? "" });
      log.error({ err: error, rule, url: order.lookAt }, "rule failed");
    }
    return result;
  } catch (error) {
    if (stopping.aborted) return lost;
    if (error instanceof Interrupted && error.isOwnDoing)
      metrics.givenUpChecks.inc({ kind: KIND_LABELS.cycle, reason: error.why });
    log.warn({ err: error }, "look not finished");
    return lost;
  }
}
