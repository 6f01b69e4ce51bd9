import type { Verdict } from "../../../shared/check.ts";
import { verdictOf } from "../../../shared/verdict.ts";
import { newUnlistedId } from "../id.ts";
import type { Sql } from "../driver/sql.ts";

/** The last result of a page; both null if there is none yet. */
export interface LastResult {
  score: number | null;
  verdict: Verdict | null;
}

/** How many of a project's newest ships are looked through for one that has been verified. */
const NEWEST_SHIPS = 10;

/**
 * The newer of the project's last verified ship and the last score that the cycle saw at its address; undefined if no
 * project has this badge.
 */
export async function findBadge(sql: Sql, badgeId: string): Promise<LastResult | undefined> {
  const [row] = await sql.read<LastResult>`
    select last.score, last.verdict from projects
    left join lateral (
      select score, verdict, seen_at from (
        select score, verdict, scores.at as seen_at from (
          select id, deployed_at from deployments
          where deployments.project_id = projects.id and environment = 'production'
          order by deployed_at desc, id desc limit ${NEWEST_SHIPS}::int
        ) ship join scores on deployment_id = ship.id
        order by deployed_at desc, ship.id desc limit 1
      ) verified
      union all
      select score, null, scored_at from watched_urls
      where watched_urls.project_id = projects.id and is_address and score is not null
      order by seen_at desc limit 1
    ) last on true
    where badge_id = ${badgeId}`;
  if (row === undefined || row.score === null) return row;
  return { score: row.score, verdict: row.verdict ?? verdictOf(row.score) };
}

/** What a scan has found; undefined if there is none, or not any more. */
export async function findScanResult(sql: Sql, scanId: string): Promise<LastResult | undefined> {
  const [row] = await sql.read<LastResult>`
    select score, verdict from scans left join checks on checks.id = check_id and scans.state = 'done'
    where scans.id = ${scanId}`;
  return row;
}

/** Switches a project's badge on or off. Returns its id: the same if it was on already, null if it is off. */
export async function updateBadge(
  sql: Sql,
  projectId: string,
  isOn: boolean,
): Promise<string | null> {
  const [row] = await sql<{ badgeId: string | null }>`
    update projects set badge_id = case when ${isOn}::boolean then coalesce(badge_id, ${newUnlistedId()}) end
    where id = ${projectId} returning badge_id`;
  return row?.badgeId ?? null;
}
