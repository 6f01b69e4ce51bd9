import type { Deps } from "../deps.ts";
import { NO_LOOK } from "../engine/judge/look-outcome.ts";
import { KIND_LABELS } from "../base/metrics.ts";
import { Interrupted } from "../engine/visit/threads.ts";
import type { LookTry, Orders, Task } from "../engine/visit/visits.ts";
import { findUrl } from "../base/syntax/url.ts";

/** How late a probe may end. */
const LATENESS_MS = 1000;

export type Looking = Pick<Deps, "threads" | "stopping" | "log" | "metrics">;

/** Never rejects: a fault of our own returns `NO_LOOK`. */
export async function lookOnce(
  deps: Looking,
  { known, ...order }: Orders["look"] & Pick<Task, "known">,
  onAsking?: () => void,
): Promise<LookTry> {
  const { threads, stopping, log, metrics } = deps;
  const lost = { look: NO_LOOK, known: [] };
  try {
    const owner = findUrl(order.lookAt)?.hostname ?? "";
    const options = { owner, maxMs: order.maxMs + LATENESS_MS, signal: stopping };
    const task = { kind: "look", order, known } as const;
    const { result, faults } = await threads.run(task, { ...options, onProgress: onAsking });
    for (const { rule, error } of faults) {
      metrics.ruleFailures.inc({ rule: rule ?? "" });
      log.error({ err: error, rule, url: order.lookAt }, "rule failed");
    }
    return result;
  } catch (error) {
    if (stopping.aborted) return lost;
    if (error instanceof Interrupted && error.why !== "late")
      metrics.givenUpChecks.inc({ kind: KIND_LABELS.cycle, reason: error.why });
    log.warn({ err: error }, "look not finished");
    return lost;
  }
}
