import { claimLooksOfRound, getRoundStart, type DueUrl } from "../db/watching/looks.ts";
import type { Deps } from "../deps.ts";
import { lookAtClaimed, type Lookout } from "./lookout.ts";

const FOUND = 20;

/** Returns one trial of a place that is set aside, to be run repeatedly: a look at the next URL that is good elsewhere. */
export function createTrials(deps: Deps, lookout: Lookout): () => Promise<void> {
  const { database, leases, pacing, placeHealth } = deps;
  let after = 0;
  return async () => {
    if (!placeHealth.isSetAside) return;
    const roundStart = await getRoundStart(database.sql);
    const wanted = { roundStart, after, limit: FOUND, leaseMs: leases.claimMs };
    const isToTry = ({ lastOutcome, hasOpenIncident, url }: DueUrl) =>
      lastOutcome === "good" && !hasOpenIncident && pacing.hasRoom(url);
    const { found, taken } = await claimLooksOfRound(database, wanted, (due) => {
      return { taken: due.filter(isToTry).slice(0, 1), putOff: [] };
    });
    const [claimed] = taken;
    after = (claimed ?? found.at(-1))?.number ?? 0;
    if (claimed === undefined) return;
    const onLooked = pacing.begin(claimed.url, false);
    const look = await lookAtClaimed(deps, lookout, claimed, { verifies: false, onLooked });
    placeHealth.endTrial(look?.outcome);
  };
}
