import { VERIFICATIONS_AT_ONCE } from "../base/bounds.ts";
import {
  findHeldState,
  releaseLook,
  SILENT_AFTER,
  storeLooks,
  type HeldState,
  type LookResult,
} from "../db/watching/look-results.ts";
import type { ClaimedUrl } from "../db/watching/looks.ts";
import { closeIncident, openIncident } from "../db/watching/incidents.ts";
import { setFailsFrom } from "../db/watching/watched-urls.ts";
import { announceIncident } from "../db/alerts/outbox.ts";
import { lockProject, updateProjectState } from "../db/projects/projects.ts";
import { storeVerification } from "../db/checks/scores.ts";
import type { Deps, VisitDeps } from "../deps.ts";
import type { Look } from "../engine/judge/look-outcome.ts";
import { KIND_LABELS } from "../base/metrics.ts";
import { retryStatement } from "../checks/retry-statement.ts";
import { applyLook, FEWEST_FAILURES, type LookDecision } from "../engine/judge/incident-rules.ts";
import type { Judgement } from "./judgement.ts";
import { lookAt, verifyAt, type Asking, type VerifiedLook } from "./look-with-retry.ts";
import { BEGIN_MS, SOON_SECONDS, STORE_CHANGE_MS } from "./look-times.ts";
import { countLook, createResults, intervalOf, type Results } from "./results.ts";

/** Never rejects, and ends within `VERIFIED_LOOK_MS`. */
export type VisitUrl = (url: string, verifies: boolean, asking: Asking) => Promise<VerifiedLook>;

export interface Lookout {
  readonly visit: VisitUrl;
  readonly judgement: Pick<Judgement, "confirm">;
  readonly results: Results;
}

export function createLookout(deps: Deps): Lookout {
  const { judgement } = deps;
  judgement.watch();
  return {
    visit: async (url, verifies, asking) =>
      verifies
        ? verifyAt(deps, url, asking)
        : { look: await lookAt(deps, url, asking), check: null },
    judgement,
    results: createResults(deps),
  };
}

interface LookOptions {
  verifies: boolean;
  /** Called right before each request to the site. */
  onAsking?: () => void;
  /** Called once, when the probe sends no more requests. */
  onLooked?: () => void;
}

/** Releases the claim at shutdown, and if this location is set aside and the result is not good. */
export async function lookAtClaimed(
  deps: Deps,
  lookout: Lookout,
  claimed: ClaimedUrl,
  options: LookOptions,
): Promise<Look | undefined> {
  const visited = await visitClaimed(deps, lookout, claimed, options);
  const giveBack = () => releaseLook(deps.database.sql, claimed);
  if (visited === undefined || deps.stopping.aborted) {
    await giveBack();
    return undefined;
  }
  const look = claimed.hasOpenIncident
    ? visited.look
    : await lookout.judgement.confirm(visited.look, claimed.url);
  if (deps.locationHealth.isSetAside && look.outcome !== "good") {
    await giveBack();
    return look;
  }
  const isJudged = look.outcome === visited.look.outcome;
  await store(deps, lookout, claimed, { look, check: isJudged ? visited.check : null });
  deps.locationHealth.record(claimed.number, look);
  deps.metrics.checks.inc({ kind: KIND_LABELS.cycle, verdict: look.outcome });
  return look;
}

async function visitClaimed(
  deps: Deps,
  { visit }: Lookout,
  { url, claimedAt }: ClaimedUrl,
  { verifies, onAsking = () => {}, onLooked = () => {} }: LookOptions,
): Promise<VerifiedLook | undefined> {
  try {
    // While the claim was on its way, the process may have begun to shut down, or may have been stopped and continued.
    const heldMs = performance.now() - claimedAt;
    if (deps.draining.aborted || heldMs > BEGIN_MS) return undefined;
    const endsBy = Date.now() + deps.leases.claimMs - heldMs;
    return await visit(url, verifies, { endsBy, onAsking });
  } finally {
    onLooked();
  }
}

/** A result that changes only its URL's row is written in a batch, any other in its own transaction. */
async function store(
  deps: Deps,
  { results }: Lookout,
  claimed: ClaimedUrl,
  { look, check }: VerifiedLook,
): Promise<void> {
  // Assumes the smallest number of failures that any project needs. The transaction reads the number of this project.
  const before = { ...claimed, failures: FEWEST_FAILURES };
  const decision = applyIncidentRules(deps, claimed, before, look);
  const isFirstGood =
    claimed.isAddress && look.outcome === "good" && claimed.lastOutcome !== "good";
  const isChange =
    decision.incident !== "none" || decision.state.failsFrom !== claimed.failsFrom || isFirstGood;
  if (check === null && !isChange) {
    await results.store(toResult(deps, claimed, look, decision, false));
    return;
  }
  const change = () => storeChange(deps, claimed, { look, check });
  const isStored = await retryStatement(change, STORE_CHANGE_MS, deps.stopping);
  if (isStored) countLook(deps, look);
  else deps.metrics.leasesLost.inc();
}

const applyIncidentRules = (
  { locationHealth: { location, locations } }: VisitDeps,
  { beganAt }: ClaimedUrl,
  before: HeldState,
  { outcome }: Look,
): LookDecision => {
  const { lastOutcome, streak, failingSince, failedFrom, failsFrom, lookFrom, notFrom, ...others } =
    before;
  const { hasOpenIncident, oneLocation, failures, isInMaintenance } = others;
  const state = { lastOutcome, streak, failingSince, failedFrom, failsFrom, lookFrom, notFrom };
  const rule = { hasOpenIncident, oneLocation, failures, isInMaintenance };
  return applyLook(state, { outcome, at: beganAt }, { ...rule, location, locations });
};

function toResult(
  { semaphores, locationHealth: { location } }: Deps,
  { number, claimId, beganAt, hasOpenIncident, isVerifyDue, silences }: ClaimedUrl,
  { outcome, reason, firstByteMs, retryAfterSeconds, isAnswered, isOwnFault }: Look,
  { state, lookAgainSoon }: LookDecision,
  isVerified: boolean,
): LookResult {
  // If many new URLs are due, URLs beyond the limit are verified by a later, regular probe.
  const isVerifiedSoon =
    isVerifyDue && !isVerified && semaphores.probes.held < VERIFICATIONS_AT_ONCE;
  return {
    ...state,
    number,
    claimId,
    beganAt,
    outcome,
    reason,
    firstByteMs,
    silences: isOwnFault ? silences : isAnswered ? 0 : Math.min(silences + 1, SILENT_AFTER),
    isVerified,
    hasOpenIncident,
    soonSeconds: lookAgainSoon || isVerifiedSoon ? SOON_SECONDS : null,
    waitSeconds: retryAfterSeconds ?? 0,
    location,
  };
}

function storeChange(
  deps: Deps,
  claimed: ClaimedUrl,
  { look, check }: VerifiedLook,
): Promise<boolean> {
  return deps.database.begin(async (sql) => {
    await lockProject(sql, claimed.projectId);
    const before = await findHeldState(sql, claimed);
    if (before === undefined) return false;
    const decision = applyIncidentRules(deps, claimed, before, look);
    const result = toResult(deps, { ...claimed, ...before }, look, decision, check !== null);
    await storeLooks(sql, [result], intervalOf(deps.config));
    if (check) await storeVerification(sql, claimed.id, check);
    if (decision.incident === "open") {
      const { failingSince, failedFrom: locations } = decision.state;
      const since = failingSince ?? claimed.beganAt;
      const id = await openIncident(sql, claimed, { since, locations }, look);
      await announceIncident(sql, "incident.opened", id);
    } else if (decision.incident === "close") {
      const id = await closeIncident(sql, claimed, look);
      if (id !== undefined) await announceIncident(sql, "incident.closed", id);
    }
    if (decision.state.failsFrom !== before.failsFrom)
      await setFailsFrom(sql, claimed.id, decision.state.failsFrom);
    await updateProjectState(sql, claimed.projectId);
    return true;
  });
}
