import { setTimeout as sleep } from "node:timers/promises";
import type { Verdict } from "../../shared/check.ts";
import { finishCheck, insertDeploymentCheck } from "../db/checks.ts";
import {
  claimDeployment,
  findDeployment,
  finishDeployment,
  putOffDeployment,
  releaseDeployment,
  type ClaimedDeployment,
  type Deployment,
} from "../db/deployments.ts";
import { storeDeploymentScore } from "../db/scores.ts";
import type { Deps } from "../deps.ts";
import { KIND_LABELS } from "../metrics.ts";
import { AppError, refuseUrl } from "../errors.ts";
import type { Text } from "../language.ts";
import { insist } from "../verify/insist.ts";
import { FINISH_MS, verify } from "../verify/verify.ts";
import { describeFailedTry, INTERRUPTED } from "../words/failed-tries.ts";

/** The outcome of one try: a verdict, or why there is none and whether another try follows. */
export type TriedDeployment = Deployment &
  (
    | { outcome: Verdict; score: number; failure: null }
    | { outcome: "queued" | "unverified"; score: null; failure: Text }
  );

const POLL_MS = 200;
const WAIT_MS = 90_000;

async function verifyDeployment(
  deps: Deps,
  claimed: ClaimedDeployment,
): Promise<{ score: number; outcome: Verdict }> {
  const { database } = deps;
  const { claimId: id, projectId, url } = claimed;
  const visit = await deps.probe.vet(url, deps.stopping);
  try {
    if (!visit.vetting.ok) throw refuseUrl(visit.vetting.refusal);
    const row = { id, kind: "deployment" as const, accountId: null, leasedAt: performance.now() };
    await insertDeploymentCheck(database.sql, { id, projectId, host: visit.host });
    const request = { url, preview: claimed.environment !== "production", headers: {} };
    const order = { request, id, language: "fr" } as const;
    const finished = await verify(deps, "deployment", visit, order, { row });
    const end = () =>
      database.begin(async (sql) => {
        // Locks the rows in the same order as a claim does, to prevent deadlocks.
        if (!(await finishDeployment(sql, claimed))) return false;
        if (!(await finishCheck(sql, id, finished))) throw new Error("The check's lease was over.");
        await storeDeploymentScore(sql, claimed.id);
        return true;
      });
    if (!(await insist(end, FINISH_MS, deps.stopping))) throw new AppError("check_interrupted", {});
    return { score: finished.score, outcome: finished.verdict };
  } finally {
    visit.close();
  }
}

/**
 * Tries to verify a claimed deployment. Returns undefined if the process is shutting down, and then releases the
 * claim.
 */
export async function tryDeployment(
  deps: Deps,
  claimed: ClaimedDeployment,
): Promise<TriedDeployment | undefined> {
  // The process may have begun to shut down while the claim was on its way.
  const tried = deps.draining.aborted ? undefined : await tryOnce(deps, claimed);
  if (tried === undefined) await releaseDeployment(deps.database.sql, claimed);
  return tried;
}

async function tryOnce(
  deps: Deps,
  claimed: ClaimedDeployment,
): Promise<TriedDeployment | undefined> {
  const { id, projectId, url, environment } = claimed;
  const deployment = { id, projectId, url, environment };
  try {
    const { score, outcome } = await verifyDeployment(deps, claimed);
    deps.metrics.checks.inc({ kind: KIND_LABELS.deployment, verdict: outcome });
    return { ...deployment, score, outcome, failure: null };
  } catch (error) {
    if (deps.stopping.aborted) return undefined;
    const failure = describeFailedTry(error);
    const outcome = await putOff(deps, claimed, failure, error);
    return { ...deployment, score: null, outcome, failure };
  }
}

async function putOff(
  { database, log, metrics }: Deps,
  claimed: ClaimedDeployment,
  failure: Text,
  error: unknown,
): Promise<"queued" | "unverified"> {
  const { id: deploymentId, tries } = claimed;
  const inSeconds = await putOffDeployment(database.sql, claimed, failure);
  // Another process has claimed it since, or it is gone with its project.
  if (inSeconds === undefined) return "queued";
  const line = { err: error, deploymentId, tries, reason: failure.en };
  if (inSeconds !== null) {
    log.warn({ ...line, inSeconds }, "deployment not verified; it will be tried again");
    return "queued";
  }
  log.error(line, "deployment not verified; it was the last try");
  metrics.checks.inc({ kind: KIND_LABELS.deployment, verdict: "unverified" });
  return "unverified";
}

/**
 * Waits until a deployment's verification has ended, and runs it unless another process already is. Throws
 * `deployment_unverified` after its last try, and `deployment_still_queued` after 90 s or if the process is shutting
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
    const claimed = await claimDeployment(sql, id, INTERRUPTED);
    if (claimed) await deps.work.add(tryDeployment(deps, claimed));
    else await sleep(POLL_MS);
  }
}
