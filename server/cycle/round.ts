import { setTimeout as sleep } from "node:timers/promises";
import type { Deps } from "../deps.ts";
import {
  claimUrlsOfRound,
  countUrlsOfRound,
  getRoundStart,
  type ClaimedUrl,
} from "../db/watched-urls.ts";
import { lookAtClaimed } from "./claimed.ts";
import type { Look } from "../verify/look.ts";
import { verifyQueued, type VerifiedDeployment } from "./deployments.ts";

/** What a round did, one entry for each watched URL and each deployment. */
export interface RoundEntry {
  id: string;
  kind: "look" | "deployment";
  projectId: string;
  url: string;
  outcome: string;
  score: number | null;
  reason: string | null;
}

const AT_ONCE = 8;
const POLL_MS = 200;

const entryOfLook = (claimed: ClaimedUrl, look: Look): RoundEntry => ({
  id: claimed.id,
  kind: "look",
  projectId: claimed.projectId,
  url: claimed.url,
  outcome: look.outcome,
  score: look.score,
  reason: look.reason?.en ?? null,
});

const entryOfDeployment = (deployment: VerifiedDeployment): RoundEntry => ({
  id: deployment.id,
  kind: "deployment",
  projectId: deployment.projectId,
  url: deployment.url,
  outcome: deployment.verdict,
  score: deployment.score,
  reason: null,
});

/** Looks at every watched URL once and verifies every queued deployment, now, beside whoever else does. */
export async function runRound(deps: Deps): Promise<RoundEntry[]> {
  const { sql } = deps.database;
  const roundStart = await getRoundStart(sql);
  const entries: RoundEntry[] = [];
  while ((await countUrlsOfRound(sql, roundStart)) > 0 && !deps.stopping.aborted) {
    const claimed = await claimUrlsOfRound(sql, roundStart, AT_ONCE);
    const looks = await Promise.all(claimed.map((url) => lookAtClaimed(deps, url)));
    entries.push(...looks.map((look, index) => entryOfLook(claimed[index] as ClaimedUrl, look)));
    if (claimed.length === 0) await sleep(POLL_MS);
  }
  for (
    let deployment = await verifyQueued(deps);
    deployment;
    deployment = await verifyQueued(deps)
  ) {
    entries.push(entryOfDeployment(deployment));
  }
  return entries;
}
