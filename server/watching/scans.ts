import { SCANS_BESIDE_CHECKS } from "../base/bounds.ts";
import { finishCheck } from "../db/checks/checks.ts";
import {
  claimScan,
  failScan,
  finishScan,
  insertScanCheck,
  postponeScan,
  releaseScan,
  updateStep,
  type ClaimedScan,
} from "../db/scans/scans.ts";
import type { Deps } from "../deps.ts";
import { AppError, isAppError, createRefusal } from "../base/errors.ts";
import { KIND_LABELS } from "../base/metrics.ts";
import { retryStatement } from "../checks/retry-statement.ts";
import type { CheckStep } from "../engine/visit/visits.ts";
import { FINISH_MS, verify } from "../checks/verify.ts";
import { describeFailedTry, INTERRUPTED } from "./failed-tries.ts";

/**
 * How long a scan waits for other visits of its host, since only a few of them run at a time. The claim and the check's lease last longer.
 */
const WAIT_MS = 12_000;

async function verifyScan(deps: Deps, claimed: ClaimedScan): Promise<void> {
  const { database } = deps;
  const { checkId: id, url } = claimed;
  const visit = await deps.probe.vetScan(url, deps.stopping);
  try {
    if (!visit.vetting.ok) throw createRefusal(visit.vetting.refusal);
    const row = { id, kind: "scan" as const, accountId: null, leasedAt: performance.now() };
    if (!(await insertScanCheck(database.sql, claimed, deps.leases.checkMs))) return;
    const order = { request: { url, preview: false, headers: {} }, id };
    const onStep = (step: CheckStep) => void deps.work.add(recordStep(deps, claimed, step));
    const deadline = performance.now() + WAIT_MS;
    const finished = await verify(deps, "scan", visit, order, { row, deadline, onStep });
    const end = () =>
      database.begin(async (sql) => {
        if (!(await finishScan(sql, claimed, finished))) return false;
        if (await finishCheck(sql, id, finished)) return true;
        throw new AppError("check_interrupted", {});
      });
    if (await retryStatement(end, FINISH_MS, deps.stopping))
      deps.metrics.checks.inc({ kind: KIND_LABELS.scan, verdict: finished.verdict });
  } finally {
    visit.close();
  }
}

/** A step that cannot be stored is not shown. The scan continues. */
async function recordStep(deps: Deps, claimed: ClaimedScan, step: CheckStep): Promise<void> {
  try {
    if (await updateStep(deps.database.sql, claimed, step, deps.leases.claimMs))
      deps.news.emit("changed", claimed.id);
  } catch (error) {
    deps.log.warn({ err: error, step }, "step of a scan not noted");
  }
}

async function endAttempt(deps: Deps, claimed: ClaimedScan, error: unknown): Promise<void> {
  const { sql } = deps.database;
  const failure = describeFailedTry(error);
  if (isAppError(error, "url_refused")) {
    await failScan(sql, claimed, failure);
    return;
  }
  const state = await postponeScan(sql, claimed, failure);
  const line = { err: error, checkId: claimed.checkId, tries: claimed.tries, reason: failure.en };
  deps.log.warn(line, state === "waiting" ? "scan put off" : "scan failed");
}

async function runScan(deps: Deps, claimed: ClaimedScan): Promise<void> {
  try {
    // The process may have begun to shut down while the claim was on its way.
    deps.draining.throwIfAborted();
    await verifyScan(deps, claimed);
  } catch (error) {
    if (deps.draining.aborted) await releaseScan(deps.database.sql, claimed);
    else await endAttempt(deps, claimed, error);
  } finally {
    deps.news.emit("changed", claimed.id);
  }
}

/** Call the returned function repeatedly. It also runs by itself when a scan is requested or ends in this process. */
export function createScanQueue(
  deps: Deps,
  run: (work: () => Promise<unknown>) => void,
): () => Promise<void> {
  let running = 0;
  let isClaiming = false;
  let isNews = false;

  function hasRoom(): boolean {
    const { scansAtOnce } = deps.config;
    const limit = deps.semaphores.checks.held > 0 ? SCANS_BESIDE_CHECKS : scansAtOnce;
    return running < limit && !deps.draining.aborted;
  }

  async function claimNext(): Promise<boolean> {
    isNews = false;
    const { config, database, leases } = deps;
    const { sql } = database;
    const claimed = await claimScan(sql, config.scansAtOnce, INTERRUPTED, leases.claimMs);
    if (claimed === undefined) return isNews;
    running++;
    const onEnd = () => {
      running--;
      run(claimAll);
    };
    run(() => runScan(deps, claimed).finally(onEnd));
    return true;
  }

  async function claimAll(): Promise<void> {
    isNews = true;
    if (isClaiming) return;
    isClaiming = true;
    try {
      while (hasRoom() && (await claimNext()));
    } finally {
      isClaiming = false;
    }
  }

  deps.news.on("waiting", () => run(claimAll));
  return claimAll;
}
