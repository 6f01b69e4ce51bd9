import { setTimeout as sleep } from "node:timers/promises";
import type { Verdict } from "../../shared/check.ts";
import { finishCheck, startUncountedCheck } from "../db/checks.ts";
import {
  claimDeployment,
  isVerified,
  requeueDeployment,
  setDeploymentCheck,
  type Deployment,
} from "../db/deployments.ts";
import { newId } from "../db/id.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { verify } from "../verify/verify.ts";

export interface VerifiedDeployment extends Deployment {
  checkId: string;
  score: number;
  verdict: Verdict;
}

const RETRY_SECONDS = 10;
const POLL_MS = 200;
const WAIT_MS = 90_000;

async function verifyDeployment(deps: Deps, deployment: Deployment): Promise<VerifiedDeployment> {
  const { database } = deps;
  const checkId = newId("chk");
  const visit = await deps.probe.vet(deployment.url, deps.stopping);
  try {
    const row = { id: checkId, accountId: null, leasedAt: performance.now() };
    await startUncountedCheck(database.sql, { id: checkId, host: visit.host });
    const request = {
      url: deployment.url,
      preview: deployment.environment !== "production",
      headers: {},
    };
    const finished = await verify(
      deps,
      "deployment",
      visit,
      { request, id: checkId, language: "fr" },
      row,
    );
    await database.begin(async (sql) => {
      if (!(await finishCheck(sql, checkId, finished)))
        throw new AppError("unavailable", "The verification's lease ran out.");
      await setDeploymentCheck(sql, deployment.id, checkId);
    });
    const { score, verdict } = finished;
    deps.metrics.checks.inc({ kind: "deployment", verdict });
    return { ...deployment, checkId, score, verdict };
  } finally {
    visit.close();
  }
}

/**
 * Verifies the oldest queued deployment, or the one named, if it can be claimed. A verification that fails on our side
 * goes back into the queue; its error is thrown.
 */
export async function verifyQueued(
  deps: Deps,
  id?: string,
): Promise<VerifiedDeployment | undefined> {
  const deployment = await claimDeployment(deps.database.sql, id);
  if (deployment === undefined) return undefined;
  try {
    return await verifyDeployment(deps, deployment);
  } catch (error) {
    await requeueDeployment(deps.database.sql, deployment.id, RETRY_SECONDS);
    throw error;
  }
}

/** Returns when a deployment's verification has ended, doing it unless somebody else already is. */
export async function waitForVerification(deps: Deps, id: string): Promise<void> {
  const deadline = Date.now() + WAIT_MS;
  while (!(await isVerified(deps.database.sql, id))) {
    if (Date.now() >= deadline) {
      throw new AppError(
        "refused_operation",
        `The verification of ${id} has not ended; it stays queued.`,
      );
    }
    await verifyQueued(deps, id).catch((error: unknown) =>
      deps.log.warn({ err: error }, "deployment not verified yet"),
    );
    await sleep(POLL_MS, undefined, { signal: deps.stopping });
  }
}
