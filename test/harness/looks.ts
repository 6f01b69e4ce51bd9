import { claimDueLooks, type ClaimedUrl, type DueOptions } from "../../server/db/watching/looks.ts";
import { createLookout, lookAtClaimed } from "../../server/watching/lookout.ts";
import type { TestServer } from "./server.ts";

/** The options with which a server without running probes claims due URLs. */
export const dueOptionsOf = ({ deps }: Pick<TestServer, "deps">, limit = 100): DueOptions => ({
  isSilent: false,
  after: null,
  limit,
  ofAccount: limit,
  running: { accounts: {}, domains: {} },
  claimant: { location: null, locations: [] },
  verifySeconds: 0,
  intervalSeconds: 300,
  leaseMs: deps.leases.claimMs,
});

/** Claims the URLs that are due, as a server does. */
export async function claimDue(server: TestServer, limit = 100): Promise<ClaimedUrl[]> {
  const { sql } = server.deps.database;
  const wanted = dueOptionsOf(server, limit);
  const { taken } = await claimDueLooks(sql, wanted);
  const silent = await claimDueLooks(sql, { ...wanted, isSilent: true });
  return [...taken, ...silent.taken];
}

/** Probes a claimed URL and stores the result. */
export const probeClaimed = ({ deps }: TestServer, claimed: ClaimedUrl) =>
  lookAtClaimed(deps, createLookout(deps), claimed, { verifies: true });
