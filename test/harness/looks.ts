import { createLookout, lookAtClaimed } from "../../server/watching/lookout.ts";
import { claimDueLooks, listWaiting, type ClaimedUrl } from "../../server/db/watching/looks.ts";
import type { TestServer } from "./server.ts";

/** Claims the URLs that are due, as a server does, but for its politeness. */
export async function claimDue({ deps }: TestServer, limit = 100): Promise<ClaimedUrl[]> {
  const { waiting } = await listWaiting(deps.database.sql);
  const turns = waiting.map(({ queue, dueAt }) => ({ queue, mark: dueAt, limit }));
  const wanted = { turns, verifySeconds: 0, leaseMs: deps.leases.claimMs };
  return (await claimDueLooks(deps.database, wanted, (due) => ({ taken: due, putOff: [] }))).taken;
}

/** Looks at a claimed URL and stores the result. */
export const lookAtOne = ({ deps }: TestServer, claimed: ClaimedUrl) =>
  lookAtClaimed(deps, createLookout(deps), claimed, { verifies: true });
