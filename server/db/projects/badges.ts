import type { Verdict } from "../../../shared/check.ts";
import { verdictOf } from "../../../shared/verdict.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import { newUnlistedId } from "../id.ts";
import type { Sql } from "../driver/sql.ts";
import { firstRow } from "../driver/rows.ts";

export interface LastResult {
  score: number | null;
  verdict: Verdict | null;
}

/** How many of a project's newest ships are searched for a verified one. */
const NEWEST_SHIPS = 10;

/** The last verified ship or the last score of the project's address, whichever is newer. */
export const joinLastResult: Fragment = fragment`
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
    ) last on true`;

/** The score of a watched URL is stored without its verdict. */
export const readResult = ({ score, verdict }: LastResult): LastResult =>
  score === null ? { score, verdict } : { score, verdict: verdict ?? verdictOf(score) };

export const findBadge = (sql: Sql, badgeId: string) =>
  firstRow(sql.read<LastResult>`
    select last.score, last.verdict from projects ${joinLastResult} where badge_id = ${badgeId}`).then(
    (row) => row && readResult(row),
  );

export const findScanResult = (sql: Sql, scanId: string) =>
  firstRow(sql.read<LastResult>`
    select score, verdict from scans left join checks on checks.id = check_id and scans.state = 'done'
    where scans.id = ${scanId}`);

export const updateBadge = (sql: Sql, projectId: string, isOn: boolean) =>
  firstRow(sql<{ badgeId: string | null }>`
    update projects set badge_id = case when ${isOn}::boolean then coalesce(badge_id, ${newUnlistedId()}) end
    where id = ${projectId} returning badge_id`).then((row) => row?.badgeId ?? null);
