import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../base/errors.ts";
import { claimDeployment } from "../db/deployments/deployment-claims.ts";
import { findDeployment } from "../db/deployments/deployments.ts";
import type { Deps } from "../deps.ts";
import { INTERRUPTED } from "./failed-tries.ts";
import { tryDeployments } from "./deployments.ts";

const POLL_MS = 200;
/** Longer than a page is awaited that is not there yet. */
const WAIT_MS = 150_000;

/**
 * Waits until a deployment's verification has ended, and runs it unless another process already is. Throws
 * `deployment_unverified` after its last try, and `deployment_still_queued` after 150 s or if the process is shutting
 * down.
 */
export async function waitForVerification(deps: Deps, id: string): Promise<void> {
  const { sql } = deps.database;
  const deadline = performance.now() + WAIT_MS;
  for (;;) {
    const deployment = await findDeployment(sql, id);
    if (deployment === undefined || deployment.state === "verified") return;
    const { state, tries, failure } = deployment;
    const failed = { id, tries, failure };
    if (state === "unverified") throw new AppError("deployment_unverified", failed);
    if (performance.now() >= deadline || deps.draining.aborted)
      throw new AppError("deployment_still_queued", failed);
    const claimed = await claimDeployment(sql, id, INTERRUPTED, deps.leases.claimMs);
    if (claimed) await deps.work.add(tryDeployments(deps, claimed));
    else await sleep(POLL_MS);
  }
}
