import { setTimeout as sleep } from "node:timers/promises";
import { LOOKS_AT_ONCE } from "../bounds.ts";
import { claimDeploymentsOfRound, type ClaimedDeployments } from "../db/deployment-claims.ts";
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
import { tryDeployments, type TriedDeployments } from "./deployments.ts";

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

const entriesOfDeployments = (
  { ids, projectId, url }: ClaimedDeployments,
  { outcome, score, failure }: TriedDeployments,
): RoundEntry[] =>
  ids.map((id) => {
    return { id, kind: "deployment", projectId, url, outcome, score, reason: failure?.en ?? null };
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
  const claimNext = () => claimDeploymentsOfRound(sql, roundStart, INTERRUPTED);
  for (let claimed = await claimNext(); claimed; claimed = await claimNext()) {
    const tried = await deps.work.add(tryDeployments(deps, claimed, false));
    if (tried === undefined) throw cutShort();
    entries.push(...entriesOfDeployments(claimed, tried));
  }
  // If cron starts the rounds, no server is running that would vacuum.
  if (deps.config.databaseUrl === undefined) await vacuumTables(sql);
  return entries;
}
