import { setTimeout as sleep } from "node:timers/promises";
import { LOOKS_AT_ONCE } from "../bounds.ts";
import { claimDeploymentOfRound } from "../db/deployments.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import {
  claimUrlsOfRound,
  countUrlsOfRound,
  getRoundStart,
  type ClaimedUrl,
} from "../db/watched-urls.ts";
import { vacuumTables } from "../db/embedded/vacuum.ts";
import { lookAtClaimed } from "./watched-urls.ts";
import type { Look } from "../judge/look.ts";
import { INTERRUPTED } from "../words/failed-tries.ts";
import { tryDeployment, type TriedDeployment } from "./deployments.ts";

/** One result of a round: a look at a watched URL, or a try to verify a deployment. */
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

function entriesOfLooks(claimed: ClaimedUrl[], looks: (Look | undefined)[]): RoundEntry[] {
  return claimed.map(({ id, projectId, url }, index) => {
    const look = looks[index];
    if (look === undefined) throw cutShort();
    const { outcome, score, reason } = look;
    return { id, kind: "look", projectId, url, outcome, score, reason: reason?.en ?? null };
  });
}

const entryOfDeployment = (tried: TriedDeployment): RoundEntry => ({
  id: tried.id,
  kind: "deployment",
  projectId: tried.projectId,
  url: tried.url,
  outcome: tried.outcome,
  score: tried.score,
  reason: tried.failure?.en ?? null,
});

/**
 * Looks at every watched URL once and tries every queued deployment now, alongside other processes that do the same.
 * Throws `round_cut_short` if the process is shutting down.
 */
export async function runRound(deps: Deps): Promise<RoundEntry[]> {
  const { sql } = deps.database;
  const roundStart = await getRoundStart(sql);
  const entries: RoundEntry[] = [];
  while ((await countUrlsOfRound(sql, roundStart)) > 0) {
    if (deps.draining.aborted) throw cutShort();
    const claimed = await claimUrlsOfRound(sql, roundStart, LOOKS_AT_ONCE);
    const looks = claimed.map((url) => deps.work.add(lookAtClaimed(deps, url)));
    entries.push(...entriesOfLooks(claimed, await Promise.all(looks)));
    if (claimed.length === 0) await sleep(POLL_MS);
  }
  const claimNext = () => claimDeploymentOfRound(sql, roundStart, INTERRUPTED);
  for (let claimed = await claimNext(); claimed; claimed = await claimNext()) {
    const tried = await deps.work.add(tryDeployment(deps, claimed));
    if (tried === undefined) throw cutShort();
    entries.push(entryOfDeployment(tried));
  }
  // If cron starts the rounds, no server is running that would vacuum.
  if (deps.config.databaseUrl === undefined) await vacuumTables(sql);
  return entries;
}
