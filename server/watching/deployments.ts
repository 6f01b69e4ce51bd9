import type { Verdict } from "../../shared/check.ts";
import { DEPLOYMENTS_AT_ONCE } from "../base/bounds.ts";
import { finishCheck, insertDeploymentCheck } from "../db/checks/checks.ts";
import {
  awaitPages,
  claimDueDeployments,
  deleteUnfinishedCheck,
  finishDeployments,
  listWaitingProjects,
  MAX_LISTED,
  MAX_TRIES,
  putOffDeployments,
  releaseDeployments,
  type ClaimedDeployments,
  type WaitingProject,
} from "../db/deployments/deployment-claims.ts";
import { insertOutcome, type Outcome } from "../db/deployments/statuses.ts";
import { lockProject } from "../db/projects/projects.ts";
import type { Sql } from "../db/driver/sql.ts";
import { storePreviewScores } from "../db/checks/scores.ts";
import type { Deps } from "../deps.ts";
import { AppError, refuseUrl } from "../base/errors.ts";
import type { Text } from "../base/language.ts";
import { KIND_LABELS } from "../base/metrics.ts";
import { retryStatement } from "../checks/retry-statement.ts";
import type { Verification } from "../engine/visit/visits.ts";
import { FINISH_MS, verify } from "../checks/verify.ts";
import { answerUnverified, judgeOutcome } from "../statuses/outcomes.ts";
import { scoreDeployments } from "./ships.ts";
import { countPreview, isFinal, openPreview } from "./previews.ts";
import { describeFailedTry, describeMissingPage, INTERRUPTED } from "./failed-tries.ts";

/** The outcome of one try: a verdict, or why there is none and whether another try follows. */
export type TriedDeployments =
  | { outcome: Verdict; score: number; failure: null }
  | { outcome: "queued" | "unverified"; score: null; failure: Text };

/** What hosts answer while a deployment goes live. */
const NOT_THERE_YET: readonly (number | null)[] = [404, 502, 503];
/**
 * Ends a claim with what its visit came to, and tells of the ships; commits are told what is `said`. With `missing`, why the page may not be there yet,
 * that is the result only of those that have waited for it long enough. Returns how many it is the result of; safe to repeat.
 */
async function endClaim(
  sql: Sql,
  claimed: ClaimedDeployments,
  { check }: Verification,
  missing: Text | null,
  said: Outcome | undefined,
): Promise<number> {
  await lockProject(sql, claimed.projectId);
  if (missing) await awaitPages(sql, claimed, missing);
  if (claimed.kind === "preview") await countPreview(sql, claimed);
  // Locks the rows in the same order as a claim does, to prevent deadlocks.
  const finished = await finishDeployments(sql, claimed);
  if (finished === 0) {
    await deleteUnfinishedCheck(sql, claimed);
    return 0;
  }
  if (!(await finishCheck(sql, claimed.claimId, check)))
    throw new Error("The check's lease was over.");
  if (claimed.kind === "preview") await storePreviewScores(sql, claimed.claimId);
  else await scoreDeployments(sql, claimed.claimId);
  if (said) await insertOutcome(sql, claimed.ids, said);
  return finished;
}

async function visitPage(deps: Deps, claimed: ClaimedDeployments): Promise<Verification> {
  const { claimId: id, projectId, url } = claimed;
  const headers = claimed.kind === "preview" ? await openPreview(deps, claimed) : {};
  const visit = await deps.probe.vet(url, deps.stopping);
  try {
    if (!visit.vetting.ok) throw refuseUrl(visit.vetting.refusal);
    const row = { id, kind: "deployment" as const, accountId: null, leasedAt: performance.now() };
    await insertDeploymentCheck(
      deps.database.sql,
      { id, projectId, host: visit.host },
      deps.leases.checkMs,
    );
    const request = { url, preview: claimed.environment !== "production", headers };
    const order = { request, id, language: "fr" } as const;
    return await verify(deps, "deployment", visit, order, { row });
  } finally {
    visit.close();
  }
}

async function verifyDeployments(
  deps: Deps,
  claimed: ClaimedDeployments,
  waitsForPage: boolean,
): Promise<TriedDeployments> {
  // A process died in each try, perhaps of what it read.
  if (claimed.tries > MAX_TRIES) throw new AppError("check_interrupted", {});
  const verified = await visitPage(deps, claimed);
  const { look, check, status, isGivenUp } = verified;
  if (look.isOwnFault && !isGivenUp) throw new AppError("check_interrupted", {});
  const isMissing = waitsForPage && status !== null && NOT_THERE_YET.includes(status);
  const missing = isMissing ? describeMissingPage(status) : null;
  const said = await judgeOutcome(deps, claimed, check);
  const end = () => deps.database.begin((sql) => endClaim(sql, claimed, verified, missing, said));
  if ((await retryStatement(end, FINISH_MS, deps.stopping)) > 0) {
    deps.metrics.checks.inc({ kind: KIND_LABELS.deployment, verdict: check.verdict });
    return { outcome: check.verdict, score: check.score, failure: null };
  }
  if (missing) return { outcome: "queued", score: null, failure: missing };
  throw new AppError("check_interrupted", {});
}

/**
 * Tries to verify claimed deployments, by one visit. Unless `waitsForPage` is false, a page that is not there yet is no
 * result for two minutes. Returns undefined if the process is shutting down, and then releases the claim.
 */
export async function tryDeployments(
  deps: Deps,
  claimed: ClaimedDeployments,
  waitsForPage = true,
): Promise<TriedDeployments | undefined> {
  // The process may have begun to shut down while the claim was on its way.
  const tried = deps.draining.aborted ? undefined : await tryOnce(deps, claimed, waitsForPage);
  if (tried === undefined) await releaseDeployments(deps.database.sql, claimed);
  return tried;
}

async function tryOnce(
  deps: Deps,
  claimed: ClaimedDeployments,
  waitsForPage: boolean,
): Promise<TriedDeployments | undefined> {
  try {
    return await verifyDeployments(deps, claimed, waitsForPage);
  } catch (error) {
    if (deps.stopping.aborted) return undefined;
    const failure = describeFailedTry(error);
    return { outcome: await putOff(deps, claimed, failure, error), score: null, failure };
  }
}

async function putOff(
  { database, log, metrics }: Deps,
  claimed: ClaimedDeployments,
  failure: Text,
  error: unknown,
): Promise<"queued" | "unverified"> {
  const { ids: deploymentIds, tries } = claimed;
  const inSeconds = await database.begin(async (sql) => {
    await lockProject(sql, claimed.projectId);
    const seconds = await putOffDeployments(sql, claimed, failure, isFinal(claimed, error));
    if (seconds === null) await answerUnverified(sql, claimed, failure);
    return seconds;
  });
  // Another process has claimed them since, or they are gone with their project.
  if (inSeconds === undefined) return "queued";
  const line = { err: error, deploymentIds, tries, reason: failure.en };
  if (inSeconds !== null) {
    log.warn({ ...line, inSeconds }, "deployment not verified; it will be tried again");
    return "queued";
  }
  log.error(line, "deployment not verified; it was the last try");
  metrics.checks.inc({ kind: KIND_LABELS.deployment, verdict: "unverified" });
  return "unverified";
}

/**
 * Returns the function that starts to verify what is queued, as far as there is room; to be called again and again. The next
 * visit is of the owner with the fewest; beside others nobody has more than stay free, so that no burst keeps others waiting.
 */
export function createDeploymentQueue(
  deps: Deps,
  run: (work: () => Promise<unknown>) => void,
): () => Promise<void> {
  const running: ClaimedDeployments[] = [];

  function begin(claimed: ClaimedDeployments): void {
    running.push(claimed);
    const onEnd = () => void running.splice(running.indexOf(claimed), 1);
    run(() => tryDeployments(deps, claimed).finally(onEnd));
  }

  const countRunning = (key: "projectId" | "accountId", id: string | null) =>
    running.filter((claimed) => claimed[key] === id).length;

  const { total, ofAccount, ofProject } = DEPLOYMENTS_AT_ONCE;

  /** The one due longest of those whose owner has the fewest visits, and room for one more. */
  function findNext(waiting: readonly WaitingProject[]): WaitingProject | undefined {
    const candidates = waiting
      .filter(({ projectId }) => countRunning("projectId", projectId) < ofProject)
      .map((project) => ({ project, held: countRunning("accountId", project.accountId) }))
      .filter(({ held }) => held < (held === running.length ? ofAccount : total - running.length))
      .toSorted((one, other) => one.held - other.held);
    return candidates[0]?.project;
  }

  let after = "";
  return async () => {
    const { sql } = deps.database;
    const listed = await listWaitingProjects(sql, after);
    after = listed.length < MAX_LISTED ? "" : (listed.at(-1)?.projectId ?? "");
    const waiting = listed
      .filter(({ dueAt }) => dueAt !== null)
      .toSorted((one, other) => Number(one.dueAt) - Number(other.dueAt));
    for (let next = findNext(waiting); next && !deps.draining.aborted; next = findNext(waiting)) {
      waiting.splice(waiting.indexOf(next), 1);
      const { projectId } = next;
      const claimed = await claimDueDeployments(sql, projectId, INTERRUPTED, deps.leases.claimMs);
      if (claimed) begin(claimed);
    }
  };
}
