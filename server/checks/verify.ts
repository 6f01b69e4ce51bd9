import { CHECK_TIMEOUT_MS } from "../base/bounds.ts";
import { renewLease } from "../db/checks/checks.ts";
import { recordEndedThread } from "../db/accounts/accounts.ts";
import type { Deps, ProcessDeps } from "../deps.ts";
import { KIND_LABELS } from "../base/metrics.ts";
import { AppError } from "../base/errors.ts";
import type { VettedUrl } from "../engine/net/vet.ts";
import type { CountedRow } from "./host-queues.ts";
import type { CheckKind } from "../engine/finished.ts";
import type { Semaphore } from "../semaphores.ts";
import { Interrupted, type RunOptions } from "../engine/visit/threads.ts";
import type {
  EngineFault,
  Conclusion,
  Orders,
  Results,
  CheckStep,
  Task,
} from "../engine/visit/visits.ts";

/** How long a verification may wait before it begins. */
export const MAX_WAIT_MS = 5000;
/** The part of a lease reserved for the statement that ends the check. */
export const ENDING_MS = 3000;
/** The longest visit, and its assessment. */
const VISIT_MS = CHECK_TIMEOUT_MS + 1000;
/** How long the statement that ends a check is repeated if the database does not answer. */
export const FINISH_MS = 5000;

export interface FollowOptions {
  /** An abort before the visit abandons the verification; a later abort has no effect. */
  signal?: AbortSignal | undefined;
  /** Called once for each step, when it begins. */
  onStep?: ((step: CheckStep) => void) | undefined;
}

interface VerifyOptions extends FollowOptions {
  /** The row that counts against the host's limits; probes of the cycle have none. */
  row?: CountedRow;
  /** The latest `performance.now()` at which the verification may begin. */
  deadline?: number;
}

/**
 * Throws `busy` if the check could not begin by the deadline, `check_stopped` if it ended its thread, and `check_interrupted` if it did not
 * finish. Also throws the signal's reason.
 */
export async function verify<Kind extends CheckKind>(
  deps: Deps,
  kind: Kind,
  vetted: VettedUrl,
  order: Orders[Kind],
  { row, deadline = performance.now() + MAX_WAIT_MS, signal, onStep }: VerifyOptions = {},
): Promise<Results[Kind]> {
  const owner = row?.accountId ?? vetted.host;
  const admitted =
    row && !vetted.exempt ? await deps.hostQueues.admit(vetted.host, row, deadline, signal) : row;
  const semaphore = findSemaphore(deps, kind);
  const release = await semaphore?.acquire(owner, deadline - performance.now(), { signal });
  const leasedAt = await renewShortLease(deps, admitted).catch((error: unknown) => {
    release?.();
    throw error;
  });
  const endsBy = leasedAt + deps.leases.checkMs - ENDING_MS;
  const end = deps.metrics.checkSeconds.startTimer({ kind: KIND_LABELS[kind] });
  try {
    onStep?.("visiting");
    const onProgress = onStep && once(() => onStep("judging"));
    const task = { kind, order, known: vetted.known };
    const options = { owner, maxMs: endsBy - performance.now(), signal: deps.stopping, onProgress };
    const { result, faults } = await runInThread(deps, task, options, row);
    for (const fault of faults) report(deps, kind, fault, { checkId: row?.id, host: vetted.host });
    return result;
  } finally {
    end();
    release?.();
  }
}

/** Returns the `performance.now()` before the lease began. A check that waited for long gets a new one. */
async function renewShortLease({ database, leases }: Deps, row?: CountedRow): Promise<number> {
  const now = performance.now();
  if (!row) return now;
  const leftMs = row.leasedAt + leases.checkMs - now;
  if (leftMs >= VISIT_MS + ENDING_MS) return row.leasedAt;
  return (await renewLease(database.sql, row.id, leases.checkMs)) ? now : row.leasedAt;
}

/** Deployments and scans need no semaphore: their claims limit them. */
function findSemaphore({ semaphores }: ProcessDeps, kind: CheckKind): Semaphore | undefined {
  if (kind === "api") return semaphores.checks;
  return kind === "cycle" ? semaphores.probes : undefined;
}

/** A verification that restarts in another thread reaches its second step twice. */
function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}

/**
 * The first check of an account within an hour that ends its thread returns its slot. Later checks, and checks without a slot, are assessed
 * as abandoned visits.
 */
async function runInThread<Kind extends CheckKind>(
  { threads, database, log, metrics }: Deps,
  task: Task<Kind>,
  options: RunOptions,
  row: CountedRow | undefined,
): Promise<Conclusion<Kind>> {
  const startedAt = performance.now();
  try {
    return await threads.run(task, options);
  } catch (error) {
    if (!(error instanceof Interrupted)) throw error;
    if (error.why === "late") throw new AppError("check_interrupted", {});
    log.error({ err: error, checkId: row?.id, owner: options.owner }, "check given up");
    metrics.givenUpChecks.inc({ kind: KIND_LABELS[task.kind], reason: error.why });
    const accountId = row?.accountId;
    if (accountId && !(await recordEndedThread(database.sql, accountId)))
      throw new AppError("check_stopped", {});
    const maxMs = options.maxMs - (performance.now() - startedAt);
    return threads
      .run({ ...task, giveUp: error.why }, { ...options, maxMs })
      .catch((failure: unknown) => {
        throw failure instanceof Interrupted ? new AppError("check_interrupted", {}) : failure;
      });
  }
}

function report(
  { log, metrics }: ProcessDeps,
  kind: CheckKind,
  { rule, error }: EngineFault,
  of: object,
): void {
  if (rule === null) metrics.givenUpChecks.inc({ kind: KIND_LABELS[kind], reason: "failed" });
  else metrics.ruleFailures.inc({ rule });
  log.error({ err: error, rule, ...of }, rule === null ? "check failed on a page" : "rule failed");
}
