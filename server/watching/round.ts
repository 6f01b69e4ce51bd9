import { setTimeout as sleep } from "node:timers/promises";
import { VERIFICATIONS_AT_ONCE } from "../base/bounds.ts";
import type { ClaimedDeployments } from "../db/deployments/deployment-claims.ts";
import { claimDeploymentsOfRound } from "../db/deployments/deployment-claims.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import type { Claim, ClaimedUrl } from "../db/watching/looks.ts";
import { claimLooksOfRound, getRoundStart, isRoundUnfinished } from "../db/watching/looks.ts";
import { vacuumTables } from "../db/embedded/vacuum.ts";
import { endMaintenance } from "./maintenance.ts";
import { createLookout, lookAtClaimed } from "./lookout.ts";
import type { Look } from "../engine/judge/look-outcome.ts";
import { INTERRUPTED } from "./failed-tries.ts";
import { tryDeployments, type DeploymentAttempt } from "./deployments.ts";

export interface RoundEntry {
  id: string;
  kind: "look" | "deployment";
  projectId: string;
  url: string;
  outcome: string;
  score: number | null;
  reason: string | null;
}

const POLL_MS = 200;

const cutShort = () => new AppError("round_cut_short", {});

function entryOfLook({ id, projectId, url }: ClaimedUrl, look: Look | undefined): RoundEntry {
  if (look === undefined) throw cutShort();
  const { outcome, score, reason } = look;
  return { id, kind: "look", projectId, url, outcome, score, reason: reason?.en ?? null };
}

const entriesOfDeployments = (
  { ids, projectId, url }: ClaimedDeployments,
  { outcome, score, failure }: DeploymentAttempt,
): RoundEntry[] =>
  ids.map((id) => {
    return { id, kind: "deployment", projectId, url, outcome, score, reason: failure?.en ?? null };
  });

async function lookAtAll(deps: Deps, roundStart: string): Promise<RoundEntry[]> {
  const { database, leases, runningLooks } = deps;
  const lookout = createLookout(deps);
  const entries: RoundEntry[] = [];
  let after: number | null = null;
  while (await isRoundUnfinished(database.sql, roundStart)) {
    if (deps.draining.aborted) throw cutShort();
    const { last, taken }: Claim = await claimLooksOfRound(database.sql, {
      roundStart,
      after,
      limit: VERIFICATIONS_AT_ONCE,
      running: runningLooks.counts,
      leaseMs: leases.claimMs,
    });
    const looks = taken.map(async (claimed) => {
      const onLooked = runningLooks.begin(claimed);
      const look = await lookAtClaimed(deps, lookout, claimed, { verifies: true, onLooked });
      return entryOfLook(claimed, look);
    });
    entries.push(...(await Promise.all(looks.map((look) => deps.work.add(look)))));
    after = last;
    if (taken.length === 0) await sleep(POLL_MS);
  }
  return entries;
}

/** Several processes can run a round in parallel. Throws `round_cut_short` if the process is shutting down. */
export async function runRound(deps: Deps): Promise<RoundEntry[]> {
  const { sql } = deps.database;
  await endMaintenance(deps);
  const roundStart = await getRoundStart(sql);
  const entries = await lookAtAll(deps, roundStart);
  const claimNext = () =>
    claimDeploymentsOfRound(sql, roundStart, INTERRUPTED, deps.leases.claimMs);
  for (let claimed = await claimNext(); claimed; claimed = await claimNext()) {
    const tried = await deps.work.add(tryDeployments(deps, claimed, false));
    if (tried === undefined) throw cutShort();
    entries.push(...entriesOfDeployments(claimed, tried));
  }
  // If cron starts the rounds, no server is running that would vacuum.
  if (deps.config.databaseUrl === undefined) await vacuumTables(sql);
  return entries;
}
