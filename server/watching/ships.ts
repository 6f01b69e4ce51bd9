import type { Verdict } from "../../shared/check.ts";
import { announceShip } from "../db/alerts/outbox.ts";
import { storeDeploymentScores, type ShipScore } from "../db/checks/scores.ts";
import type { Sql } from "../db/driver/sql.ts";

const DROP_POINTS = 5;
/** From good to bad; a page that could not be judged is no worse than another. */
const VERDICTS: readonly (Verdict | null)[] = ["ship", "ship_with_warnings", "do_not_ship"];

/** True if a ship's score fell by 5 or more since the one before, or its verdict got worse. */
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

/** One message names so many at most, so that it stays under 20 KB. */
const MAX_NAMED = 400;

/** Tells of all ships of a visit, by the newest of them. A drop that a newer ship has followed is none any more. */
async function tellOfShips(sql: Sql, ship: ShipScore): Promise<void> {
  const { previousScore, changed, isLast } = ship;
  const change = { previousScore, changed, isDrop: isLast && isDrop(ship) };
  for (const [place, id] of ship.ids.entries())
    if (place % MAX_NAMED === 0)
      await announceShip(sql, id, { ...change, ids: ship.ids.slice(place, place + MAX_NAMED) });
}

/** Stores the scores of a check's deployments, and queues the messages about its ships. Safe to repeat. */
export async function scoreDeployments(sql: Sql, checkId: string): Promise<void> {
  const ship = await storeDeploymentScores(sql, checkId);
  if (ship) await tellOfShips(sql, ship);
}
