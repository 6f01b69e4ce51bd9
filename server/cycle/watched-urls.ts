import { openIncident, updateIncident } from "../db/incidents.ts";
import { lockProject, updateProjectState } from "../db/projects.ts";
import { findClaimedState, finishClaim, releaseUrl, type ClaimedUrl } from "../db/watched-urls.ts";
import { storeVerification } from "../db/scores.ts";
import type { Deps } from "../deps.ts";
import { KIND_LABELS } from "../metrics.ts";
import { decideLook } from "./incident-rules.ts";
import type { Look } from "../judge/look.ts";
import { verifyAt, type VerifiedLook } from "./look.ts";

const SOON_SECONDS = 30;

/**
 * Looks at a claimed URL and stores the outcome: the URL's state, its incident and its project's state. Returns
 * undefined if the process is shutting down, and then releases the claim.
 */
export async function lookAtClaimed(deps: Deps, claimed: ClaimedUrl): Promise<Look | undefined> {
  // The process may have begun to shut down while the claim was on its way.
  const verified = deps.draining.aborted ? undefined : await verifyAt(deps, claimed.url);
  if (verified === undefined || deps.stopping.aborted) {
    await releaseUrl(deps.database.sql, claimed);
    return undefined;
  }
  const { look } = verified;
  await writeLook(deps, claimed, verified);
  deps.metrics.checks.inc({ kind: KIND_LABELS.cycle, verdict: look.outcome });
  return look;
}

async function writeLook(
  deps: Deps,
  claimed: ClaimedUrl,
  { look, check }: VerifiedLook,
): Promise<void> {
  const at = claimed.lookStartedAt.toISOString();
  const interval = deps.config.cycleSeconds;
  await deps.database.begin(async (sql) => {
    await lockProject(sql, claimed.projectId);
    const before = await findClaimedState(sql, claimed);
    if (before === undefined) return;
    const { hasOpenIncident, ...state } = before;
    const decision = decideLook(state, { outcome: look.outcome, at }, hasOpenIncident);
    const inSeconds = decision.lookAgainSoon ? Math.min(SOON_SECONDS, interval) : interval;
    await finishClaim(sql, claimed, decision.state, { score: look.score, inSeconds });
    if (check) await storeVerification(sql, claimed.id, check);
    if (decision.incident === "open") {
      await openIncident(sql, claimed, decision.state.failingSince, look.reason);
    } else if (hasOpenIncident) {
      await updateIncident(sql, claimed, look.reason, decision.incident === "close");
    }
    await updateProjectState(sql, claimed.projectId);
  });
}
