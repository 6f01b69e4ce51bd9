import { claimLooksOfRound, getRoundStart } from "../db/watching/looks.ts";
import type { Deps } from "../deps.ts";
import { lookAtClaimed, type Lookout } from "./lookout.ts";

/** Returns one trial of a place that is set aside, to be run repeatedly: a look at the next URL that is good elsewhere. */
export function createTrials(deps: Deps, lookout: Lookout): () => Promise<void> {
  const { database, leases, runningLooks, placeHealth } = deps;
  let after: number | null = null;
  return async () => {
    if (!placeHealth.isSetAside) return;
    const roundStart = await getRoundStart(database.sql);
    const { last, taken } = await claimLooksOfRound(database.sql, {
      roundStart,
      after,
      limit: 1,
      isOnlyGood: true,
      running: runningLooks.counts,
      leaseMs: leases.claimMs,
    });
    after = last;
    const [claimed] = taken;
    if (claimed === undefined) return;
    const onLooked = runningLooks.begin(claimed);
    const look = await lookAtClaimed(deps, lookout, claimed, { verifies: false, onLooked });
    placeHealth.endTrial(look?.outcome);
  };
}
