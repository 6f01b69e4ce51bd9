import { type Verdict, TargetHeaders } from "../../shared/check.ts";
import { announceShip } from "../db/alerts/outbox.ts";
import { storeDeploymentScores, type ShipScore, storePreviewScores } from "../db/checks/scores.ts";
import type { Sql } from "../db/driver/sql.ts";
import { quotaOf } from "../../shared/quota.ts";
import { CHECKS_A_MONTH } from "../base/plans.ts";
import { AppError, isAppError, isTemporary, createRefusal } from "../base/errors.ts";
import { findUrlOfHosts } from "../base/syntax/host-pattern.ts";
import {
  countPreviewCheck,
  type ClaimedDeployments,
  releaseUntilPageAppears,
  claimDueDeployments,
  deleteUnfinishedCheck,
  finishDeployments,
  listWaitingProjects,
  MAX_LISTED,
  MAX_TRIES,
  postponeDeployments,
  releaseDeployments,
  type WaitingProject,
  claimDeployment,
} from "../db/deployments/deployment-claims.ts";
import { findPreviewOrder } from "../db/projects/previews.ts";
import type { StoreDeps, Deps } from "../deps.ts";
import { DEPLOYMENTS_AT_ONCE } from "../base/bounds.ts";
import { finishCheck, insertDeploymentCheck } from "../db/checks/checks.ts";
import { insertOutcome, type Outcome } from "../db/deployments/commit-statuses.ts";
import { lockProject } from "../db/projects/projects.ts";
import type { Text } from "../../shared/language.ts";
import { KIND_LABELS } from "../base/metrics.ts";
import { retryStatement } from "../checks/retry-statement.ts";
import type { Verification } from "../engine/visit/visits.ts";
import { FINISH_MS, verify } from "../checks/verify.ts";
import { prepareOutcome, reportUnverified } from "../statuses/outcomes.ts";
import { describeFailedTry, describeMissingPage, INTERRUPTED } from "./failed-tries.ts";
import { setTimeout as sleep } from "node:timers/promises";
import { findDeployment, findShipBefore } from "../db/deployments/deployments.ts";

const DROP_POINTS = 5;
/** Ordered from good to bad. Null is not listed, since a change from or to null is no drop. */
const VERDICTS: readonly (Verdict | null)[] = ["ship", "ship_with_warnings", "do_not_ship"];

export function isDrop({
  score,
  verdict,
  previousScore,
  previousVerdict,
}: Omit<ShipScore, "ids" | "isLast">): boolean {
  if (previousScore === null) return false;
  const [before, after] = [VERDICTS.indexOf(previousVerdict), VERDICTS.indexOf(verdict)];
  return previousScore - score >= DROP_POINTS || (before !== -1 && after > before);
}

/** The maximum number of ids in one message. It keeps the message under 20 KB. */
const MAX_NAMED = 400;

async function announceShips(sql: Sql, ship: ShipScore): Promise<void> {
  const { previousScore, changed, isLast } = ship;
  const change = { previousScore, changed, isDrop: isLast && isDrop(ship) };
  for (const [index, id] of ship.ids.entries())
    if (index % MAX_NAMED === 0)
      await announceShip(sql, id, { ...change, ids: ship.ids.slice(index, index + MAX_NAMED) });
}

async function scoreDeployments(sql: Sql, checkId: string): Promise<void> {
  const ship = await storeDeploymentScores(sql, checkId);
  if (ship) await announceShips(sql, ship);
}

/** Returns the headers only for hosts that the owner named. Throws `quota_exceeded`, `secret_key_missing` and `secret_key_wrong`. */
async function openPreview(
  { database, secretBox }: StoreDeps,
  { projectId, url }: ClaimedDeployments,
): Promise<TargetHeaders> {
  const order = await findPreviewOrder(database.sql, projectId, CHECKS_A_MONTH);
  if (order === undefined) return {};
  const { used, limit, askedAt, hosts, sealed } = order;
  if (used >= limit) throw new AppError("quota_exceeded", { quota: quotaOf(used, limit), askedAt });
  if (sealed === null || findUrlOfHosts(url, hosts) === undefined) return {};
  return TargetHeaders.parse(JSON.parse(secretBox.open(sealed, projectId)));
}

/** Must run inside the transaction that ends the claim, before `finishDeployments`. Throws `quota_exceeded`. */
async function countPreview(sql: Sql, claimed: ClaimedDeployments): Promise<void> {
  const { isExhausted, askedAt } = await countPreviewCheck(sql, claimed, CHECKS_A_MONTH);
  if (isExhausted) throw new AppError("quota_exceeded", { quota: quotaOf(0, 0), askedAt });
}

const isFinal = ({ kind }: ClaimedDeployments, error: unknown): boolean =>
  kind === "preview" &&
  (isAppError(error, "quota_exceeded") ||
    (isAppError(error, "url_refused") && !isTemporary(error.parameters.code)));

export type DeploymentAttempt =
  | { outcome: Verdict; score: number; failure: null }
  | { outcome: "queued" | "unverified"; score: null; failure: Text };

/** The statuses that hosts return while a deployment goes live. */
const NOT_THERE_YET: readonly (number | null)[] = [404, 502, 503];

/** If `missing` says that the page does not exist yet, recent deployments stay in the queue. Repeating the call is safe. */
async function endClaim(
  sql: Sql,
  claimed: ClaimedDeployments,
  { check }: Verification,
  missing: Text | null,
  said: Outcome | undefined,
): Promise<number> {
  await lockProject(sql, claimed.projectId);
  if (missing) await releaseUntilPageAppears(sql, claimed, missing);
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
    if (!visit.vetting.ok) throw createRefusal(visit.vetting.refusal);
    const row = { id, kind: "deployment" as const, accountId: null, leasedAt: performance.now() };
    await insertDeploymentCheck(
      deps.database.sql,
      { id, projectId, host: visit.host },
      deps.leases.checkMs,
    );
    const request = { url, preview: claimed.environment !== "production", headers };
    const before = request.preview
      ? undefined
      : await findShipBefore(deps.database.sql, claimed.ids);
    const order = {
      request,
      id,
      language: "fr",
      ...(before?.evidence && { before: before.evidence }),
    } as const;
    return await verify(deps, "deployment", visit, order, { row });
  } finally {
    visit.close();
  }
}

async function verifyDeployments(
  deps: Deps,
  claimed: ClaimedDeployments,
  waitsForPage: boolean,
): Promise<DeploymentAttempt> {
  // A process died in each attempt, perhaps because of the page.
  if (claimed.tries > MAX_TRIES) throw new AppError("check_interrupted", {});
  const verified = await visitPage(deps, claimed);
  const { look, check, status, isGivenUp } = verified;
  if (look.isOwnFault && !isGivenUp) throw new AppError("check_interrupted", {});
  const isMissing = waitsForPage && status !== null && NOT_THERE_YET.includes(status);
  const missing = isMissing ? describeMissingPage(status) : null;
  const said = await prepareOutcome(deps, claimed, check);
  const end = () => deps.database.begin((sql) => endClaim(sql, claimed, verified, missing, said));
  if ((await retryStatement(end, FINISH_MS, deps.stopping)) > 0) {
    deps.metrics.checks.inc({ kind: KIND_LABELS.deployment, verdict: check.verdict });
    return { outcome: check.verdict, score: check.score, failure: null };
  }
  if (missing) return { outcome: "queued", score: null, failure: missing };
  throw new AppError("check_interrupted", {});
}

/** Returns undefined if the process is shutting down, after releasing the claim. */
export async function tryDeployments(
  deps: Deps,
  claimed: ClaimedDeployments,
  waitsForPage = true,
): Promise<DeploymentAttempt | undefined> {
  // The process may have begun to shut down while the claim was on its way.
  const tried = deps.draining.aborted ? undefined : await tryOnce(deps, claimed, waitsForPage);
  if (tried === undefined) await releaseDeployments(deps.database.sql, claimed);
  return tried;
}

async function tryOnce(
  deps: Deps,
  claimed: ClaimedDeployments,
  waitsForPage: boolean,
): Promise<DeploymentAttempt | undefined> {
  try {
    return await verifyDeployments(deps, claimed, waitsForPage);
  } catch (error) {
    if (deps.stopping.aborted) return undefined;
    const failure = describeFailedTry(error);
    return { outcome: await postpone(deps, claimed, failure, error), score: null, failure };
  }
}

async function postpone(
  { database, log, metrics }: Deps,
  claimed: ClaimedDeployments,
  failure: Text,
  error: unknown,
): Promise<"queued" | "unverified"> {
  const { ids: deploymentIds, tries } = claimed;
  const inSeconds = await database.begin(async (sql) => {
    await lockProject(sql, claimed.projectId);
    const seconds = await postponeDeployments(sql, claimed, failure, isFinal(claimed, error));
    if (seconds === null) await reportUnverified(sql, claimed, failure);
    return seconds;
  });
  // Another process has claimed the deployments since, or their project was deleted.
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
 * If other owners have visits too, an owner gets at most as many visits as permits are free. A burst of one owner therefore does not delay
 * the others.
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

const POLL_MS = 200;
/** Must exceed `DEPLOYMENT_APPEARS.withinMs`, the wait for a page that does not exist yet. */
const WAIT_MS = 150_000;

/** Throws `deployment_unverified` after the deployment's last attempt, `deployment_still_queued` after 150 s or at shutdown. */
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
