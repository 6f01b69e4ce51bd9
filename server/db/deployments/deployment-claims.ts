import { DEPLOYMENT_APPEARS } from "../../base/bounds.ts";
import type { Text } from "../../../shared/language.ts";
import { claimEnded, claimUnder, isFree, isHeld, selectFree } from "../claim.ts";
import type { Deployment } from "./deployments.ts";
import type { Plan } from "../../base/plans.ts";
import { limitOf, THIS_MONTH } from "../accounts/usage.ts";
import { fragment, milliseconds, type Fragment } from "../driver/fragment.ts";
import { newId } from "../id.ts";
import { isThere } from "../projects/projects.ts";
import type { Sql } from "../driver/sql.ts";
import { countRows, done, firstValue, onlyRow } from "../driver/rows.ts";

/** The visit begins after all of them were recorded, so its result is valid for each. */
export interface ClaimedDeployments extends Omit<Deployment, "id"> {
  ids: readonly string[];
  accountId: string;
  /** Unique to this claim; its check has the same id. */
  claimId: string;
  tries: number;
}

/** Over about four hours. One more claim records the failure of the last attempt. */
export const MAX_TRIES = 10;
const MAX_TOGETHER = 1000;

const listOf = (ids: readonly string[]) => fragment`string_to_array(${ids.join(" ")}, ' ')`;

/** Each project takes one step in the index. */
export const MAX_LISTED = 1000;

/** `dueAt` is null if every due deployment is claimed, none is due, or the project was deleted. */
export interface WaitingProject {
  projectId: string;
  accountId: string | null;
  dueAt: Date | null;
}

export const listWaitingProjects = (sql: Sql, after: string): Promise<WaitingProject[]> => {
  const nextAfter = (id: Fragment) => fragment`(select project_id from deployments
    where check_id is null and try_at is not null and project_id > ${id} order by project_id limit 1)`;
  return sql<WaitingProject>`
    with recursive waiting as (
      select ${nextAfter(fragment`${after}`)} as id
      union all
      select ${nextAfter(fragment`waiting.id`)} from waiting where id is not null
    )
    select projects.id as project_id, owner_id as account_id, (
      select try_at from deployments
      where ${isThere} and project_id = projects.id and check_id is null and try_at <= now() and ${isFree} order by try_at limit 1
    ) as due_at
    from (select id from waiting limit ${MAX_LISTED}::int) waiting join projects using (id)
    order by projects.id`;
};

/** `interrupted` becomes the failure of deployments if their previous claimant died. */
export const claimDueDeployments = (
  sql: Sql,
  projectId: string,
  interrupted: Text,
  leaseMs: number,
) =>
  claim(sql, interrupted, leaseMs, {
    first: fragment`try_at <= now() and project_id = ${projectId}`,
    others: fragment`try_at <= now()`,
  });

export const claimDeployment = (sql: Sql, id: string, interrupted: Text, leaseMs: number) =>
  claim(sql, interrupted, leaseMs, {
    first: fragment`try_at <= now() and id = ${id}`,
    others: fragment`try_at <= now()`,
  });

export function claimDeploymentsOfRound(
  sql: Sql,
  roundStart: string,
  interrupted: Text,
  leaseMs: number,
) {
  const isLeft = fragment`try_at is not null and (tried_at is null or tried_at < ${roundStart}::text::timestamptz)`;
  return claim(sql, interrupted, leaseMs, { first: isLeft, others: isLeft });
}

/** Deletes the check of a claimant that died. */
async function claim(
  sql: Sql,
  interrupted: Text,
  leaseMs: number,
  { first, others }: { first: Fragment; others: Fragment },
): Promise<ClaimedDeployments | undefined> {
  const claimId = newId("chk");
  const rows = await sql<Deployment & { tries: number; accountId: string }>`
    with first as (${selectFree({
      table: fragment`deployments`,
      columns: fragment`project_id, url, environment, kind, tries`,
      condition: fragment`check_id is null and ${first}
        and exists (select from projects where projects.id = project_id and ${isThere})`,
      order: fragment`try_at`,
      limit: 1,
    })}), together as (${selectFree({
      table: fragment`deployments join first using (project_id, url, environment, kind, tries)`,
      columns: fragment`id, claim_id`,
      condition: fragment`check_id is null and ${others}`,
      order: fragment`try_at`,
      limit: MAX_TOGETHER,
    })}), abandoned as (
      delete from checks using together where checks.id = together.claim_id and state <> 'done'
    )
    update deployments set ${claimUnder(claimId, leaseMs)}, tried_at = now(), begun_at = coalesce(begun_at, now()),
      tries = tries + 1,
      failure = case when deployments.claim_id is null then failure else ${JSON.stringify(interrupted)}::text::jsonb end
    from together where deployments.id = together.id
    returning deployments.id, kind, project_id, url, environment, tries,
      (select owner_id from projects where projects.id = project_id) as account_id`;
  const [one] = rows;
  if (one === undefined) return undefined;
  const { id: _, ...shared } = one;
  return { ...shared, claimId, ids: rows.map(({ id }) => id) };
}

const ofClaim = ({ ids, claimId }: ClaimedDeployments) =>
  fragment`id = any(${listOf(ids)}) and claim_id = ${claimId} and check_id is null`;

const deleteUnfinished = ({ claimId }: ClaimedDeployments) =>
  fragment`delete from checks where id = ${claimId} and state <> 'done'`;

/** Safe to repeat if the answer was lost. */
export function finishDeployments(sql: Sql, claimed: ClaimedDeployments) {
  const { ids, claimId } = claimed;
  return countRows(sql`
    update deployments set check_id = ${claimId}, ${claimEnded}, failure = null
    where id = any(${listOf(ids)}) and (check_id = ${claimId} or (check_id is null and ${isHeld(claimId)}))
    returning id`);
}

/** For deployments whose page may still appear. Does not count as an attempt. */
export const releaseUntilPageAppears = (sql: Sql, claimed: ClaimedDeployments, failure: Text) =>
  countRows(sql`
    update deployments set ${claimEnded}, tries = tries - 1, try_at = now() + ${milliseconds(DEPLOYMENT_APPEARS.againMs)},
      failure = ${JSON.stringify(failure)}::text::jsonb
    where ${ofClaim(claimed)} and begun_at > now() - ${milliseconds(DEPLOYMENT_APPEARS.withinMs)} returning id`);

/** Returns the seconds until the next attempt; null after the last one, undefined if the claim is no longer ours. */
export const postponeDeployments = (
  sql: Sql,
  claimed: ClaimedDeployments,
  failure: Text,
  isLast = false,
) =>
  firstValue(sql<{ inSeconds: number | null }>`
    with unfinished as (${deleteUnfinished(claimed)})
    update deployments set ${claimEnded}, failure = ${JSON.stringify(failure)}::text::jsonb,
      tries = least(tries, ${MAX_TRIES}::int),
      try_at = case when tries < ${MAX_TRIES}::int and not ${isLast}::boolean then now() + make_interval(secs => least(10 * 3 ^ (tries - 1), 3600)) end
    where ${ofClaim(claimed)}
    returning extract(epoch from try_at - now())::float8 as in_seconds`);

/** Runs when the process shuts down, so that another process can start immediately. */
export const releaseDeployments = (sql: Sql, claimed: ClaimedDeployments) =>
  done(sql`
    with unfinished as (${deleteUnfinished(claimed)})
    update deployments set ${claimEnded}, tries = tries - 1, try_at = now(), tried_at = null
    where ${ofClaim(claimed)}`);

/** Requires a lock on the project. */
export const countPreviewCheck = (
  sql: Sql,
  claimed: ClaimedDeployments,
  limits: Readonly<Record<Plan, number>>,
) =>
  onlyRow(sql<{ isExhausted: boolean; askedAt: Date }>`
    with held as (
      select from deployments where ${ofClaim(claimed)} and lease_until > now() limit 1
    ), owner as (
      select accounts.id, ${limitOf(limits)} as most from accounts, held where id = ${claimed.accountId}
    ), taken as (
      insert into usage (account_id, month, used) select id, ${THIS_MONTH}, 1 from owner where most > 0
      on conflict (account_id, month) do update set used = usage.used + 1 where usage.used < (select most from owner)
      returning used
    )
    select exists (select from held) and not exists (select from taken) as is_exhausted, now() as asked_at`);

export const deleteUnfinishedCheck = (sql: Sql, claimed: ClaimedDeployments) =>
  done(sql`${deleteUnfinished(claimed)}`);
