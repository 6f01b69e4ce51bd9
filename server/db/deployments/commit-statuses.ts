import { claimEnded, isHeld } from "../claim.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import { firstRow } from "../driver/rows.ts";
import type { Database, Sql } from "../driver/sql.ts";
import { newId } from "../id.ts";
import type { ClaimedReporting } from "./status-reporting.ts";

export type StatusState = "pending" | "success" | "failure" | "error";

/** Texts are in English. */
export interface StatusContent {
  state: StatusState;
  description: string;
}

export interface Outcome extends StatusContent {
  report: string;
}

/** `error` begins with the provider's status code. */
export interface Status extends Omit<StatusContent, "state"> {
  id: string;
  state: StatusState | "comment";
  deployment: string | null;
  commit: string;
  context: string;
  sent: "pending" | "sent" | "dead" | "superseded";
  attempts: number;
  error: string | null;
  at: Date;
}

const LISTED = fragment`50`;

export const ended = (sent: Exclude<Status["sent"], "pending">, error: string | null): Fragment =>
  fragment`sent = ${sent}, error = ${error}::text, report = null, ended_at = now()`;

export const selectStatuses = (hookId: Fragment): Fragment => fragment`
  select id, deployment_id as deployment, commit, context, state, description, sent, attempts, error, created_at as at
  from statuses where hook_id = ${hookId} order by created_at desc, id desc limit ${LISTED}`;

export const listStatuses = (sql: Sql, hookId: string) =>
  sql.read<Status>`${selectStatuses(fragment`${hookId}`)}`;

export interface NewStatus extends StatusContent {
  /** The deployment's id, or the provider's name for it. */
  subject: string;
  deploymentId: string | null;
  /** Milliseconds since 1970; null for the time of arrival. */
  deployedMs: number | null;
  /** Null means now. */
  recordedMs: number | null;
  commit: string;
  context: string;
  /** True if the event was of another repository. */
  isForeign: boolean;
}

/**
 * For one commit and context, only the newest status of the newest deployment waits; it replaces those that were not
 * sent yet. Must run inside the transaction that causes them, with the project locked.
 */
const queue = async (sql: Sql, source: Fragment): Promise<void> => {
  const isOfOne = fragment`other.hook_id = said.hook_id and other.commit = said.commit and other.context = said.context
    and (other.state = 'comment') = (said.state = 'comment')`;
  const isLater = fragment`${isOfOne} and (other.deployed_at, other.recorded_at) > (said.deployed_at, said.recorded_at)`;
  const added = await sql<{ id: string; sent: string }>`
    with said as (${source}), reporting as (
      select id, state, comments from status_reporting where id in (select hook_id from said) for no key update
    )
    insert into statuses (id, hook_id, project_id, subject, deployment_id, deployed_at, recorded_at, commit, context, state,
      description, report, sent, error, ended_at)
    select said.id, said.hook_id, said.project_id, said.subject, said.deployment_id, said.deployed_at, said.recorded_at,
      said.commit, said.context, said.state, said.description,
      case when ending.sent = 'pending' then said.report end, ending.sent, ending.error,
      case when ending.sent <> 'pending' then now() end
    from said join reporting on reporting.id = said.hook_id and (comments or said.state <> 'comment'), lateral (
      select case when said.is_foreign or reporting.state = 'refused' then 'dead'
          when exists (select from statuses other where ${isLater} and other.error is distinct from 'repository')
            or exists (select from said other where ${isLater} and not other.is_foreign)
          then 'superseded' else 'pending' end as sent,
        case when said.is_foreign then 'repository' when reporting.state = 'refused' then 'refused' end as error
    ) ending
    on conflict (hook_id, subject, state) do nothing
    returning id, sent`;
  const waiting = added.filter(({ sent }) => sent === "pending").map(({ id }) => id);
  if (waiting.length === 0) return;
  const ids = fragment`(string_to_array(${waiting.join(" ")}, ' '))`;
  await sql`
    with said as (
      select * from statuses where id = any${ids}
    ), replaced as (
      update statuses other set ${ended("superseded", null)} from said
      where ${isOfOne} and other.id <> all${ids} and other.sent = 'pending'
    )
    update status_reporting set due_at = least(status_reporting.due_at, now()) from said where status_reporting.id = said.hook_id`;
};

export const insertStatuses = (
  sql: Sql,
  hookId: string,
  projectId: string,
  statuses: readonly NewStatus[],
): Promise<void> => {
  const rows = statuses.map((status) => ({ ...status, id: newId("sts") }));
  return queue(
    sql,
    fragment`
      select id, ${hookId}::text as hook_id, ${projectId}::text as project_id, subject, "deploymentId" as deployment_id,
        least(to_timestamp("deployedMs" / 1000), clock_timestamp()) as deployed_at,
        coalesce(to_timestamp("recordedMs" / 1000), clock_timestamp()) as recorded_at,
        commit, context, state, description, null::text as report, "isForeign" as is_foreign
      from jsonb_to_recordset(${JSON.stringify(rows)}::text::jsonb) as one (
        id text, subject text, "deploymentId" text, "deployedMs" float8, "recordedMs" float8, commit text, context text,
        state text, description text, "isForeign" boolean
      )`,
  );
};

const ofDeployments = (ids: readonly string[]): Fragment =>
  fragment`deployment_id = any(string_to_array(${ids.join(" ")}, ' ')) and state = 'pending'
    and error is distinct from 'repository'`;

export const findReporting = (sql: Sql, ids: readonly string[]) =>
  firstRow(sql.read<{ comments: boolean }>`
    select coalesce(bool_or((select comments from status_reporting where status_reporting.id = hook_id)), false) as comments
    from statuses where ${ofDeployments(ids)} having count(*) > 0`);

export async function insertOutcome(
  sql: Sql,
  ids: readonly string[],
  { state, description, report }: Outcome,
): Promise<void> {
  const source = (as: Status["state"], says: string, text: string | null) => fragment`
      select ${JSON.stringify(ids.map(() => newId("sts")))}::text::jsonb ->> (row_number() over () - 1)::int as id, hook_id,
        project_id, subject, deployment_id, deployed_at, recorded_at, commit, context, ${as}::text as state,
        ${says}::text as description, ${text}::text as report, false as is_foreign
      from statuses where ${ofDeployments(ids)} and not exists (
        select from deployments where deployments.id = deployment_id and check_id is null and try_at is not null
      )`;
  // The list shows the newest first, so the comment is queued before the status.
  await queue(sql, source("comment", "The report on the pull request", report));
  await queue(sql, source(state, description, null));
}

/** `attempts` includes this attempt. */
export type ClaimedStatus = Pick<
  Status,
  "id" | "deployment" | "commit" | "context" | "description" | "attempts"
> & { now: Date } & ({ state: StatusState } | { state: "comment"; report: string });

const ofClaim = ({ id, claimId }: ClaimedReporting) => fragment`id = ${id} and ${isHeld(claimId)}`;

export const claimStatus = (database: Database, claimed: ClaimedReporting) =>
  database.begin(async (sql) => {
    const [held] = await sql`
      select from status_reporting where ${ofClaim(claimed)} and coalesce(waits_until <= now(), true) for no key update`;
    if (held === undefined) return undefined;
    const [status] = await sql<ClaimedStatus>`
      update statuses set attempts = attempts + 1 where id = (
        select id from statuses where hook_id = ${claimed.id} and sent = 'pending' and due_at <= now()
        order by due_at, state = 'comment', created_at, id limit 1
      ) returning id, deployment_id as deployment, commit, context, state, description, report, attempts, now()`;
    return status;
  });

export interface Comment {
  id: string;
  pullRequest: number;
}

export const findComment = (sql: Sql, { id }: Pick<ClaimedStatus, "id">, pullRequest: number) =>
  firstRow(sql.read<{ id: string; isNewer: boolean }>`
    select other.comment_id as id,
      (other.deployed_at, other.recorded_at) > (said.deployed_at, said.recorded_at) as is_newer
    from statuses said join statuses other using (hook_id, context)
    where said.id = ${id} and other.pull_request = ${pullRequest}::bigint and other.comment_id is not null
    order by other.deployed_at desc, other.recorded_at desc limit 1`);

/**
 * `failed`: a retry follows; with `isLimit`, the hook sends nothing before that time. `refused`: the hook sends nothing
 * more. `none`: the commit has no pull request to comment on.
 */
export type AttemptResult =
  | { as: "sent"; comment?: Comment }
  | { as: "superseded" | "none" }
  | { as: "failed"; error: string; retryInSeconds: number; isLimit: boolean }
  | { as: "dead" | "refused"; error: string };

export const endStatusClaim = (
  database: Database,
  claimed: ClaimedReporting,
  status?: ClaimedStatus,
  end?: AttemptResult,
) =>
  database.begin(async (sql) => {
    const { id } = claimed;
    const [held] =
      await sql`select from status_reporting where ${ofClaim(claimed)} for no key update`;
    if (held === undefined) return;
    if (status && end) await recordEnd(sql, id, status.id, end);
    const isRefused = end?.as === "refused";
    const wait = end?.as === "failed" && end.isLimit ? end.retryInSeconds : null;
    const until = fragment`now() + make_interval(secs => ${wait}::float8)`;
    await sql`
      update status_reporting set ${claimEnded}, state = case when ${isRefused}::boolean then 'refused' else state end,
        waits_until = coalesce(${until}, waits_until),
        due_at = (
          select greatest(min(statuses.due_at), coalesce(${until}, waits_until))
          from statuses where hook_id = ${id} and sent = 'pending' having count(*) > 0
        )
      where id = ${id}`;
  });

async function recordEnd(sql: Sql, hookId: string, id: string, end: AttemptResult): Promise<void> {
  const waiting = fragment`id = ${id} and sent = 'pending'`;
  if (end.as === "refused")
    await sql`
      update statuses set ${ended("dead", end.error)} where hook_id = ${hookId} and sent = 'pending'`;
  else if (end.as === "failed")
    await sql`
      update statuses set error = ${end.error}, due_at = now() + make_interval(secs => ${end.retryInSeconds}::float8)
      where ${waiting}`;
  else if (end.as === "none") await sql`delete from statuses where ${waiting}`;
  // A status that was superseded while it was being sent has still arrived.
  else if (end.as === "sent")
    await sql`
      update statuses set ${ended("sent", null)}, pull_request = ${end.comment?.pullRequest ?? null}::bigint,
        comment_id = ${end.comment?.id ?? null} where id = ${id}`;
  else
    await sql`
      update statuses set ${ended(end.as, end.as === "dead" ? end.error : null)} where ${waiting}`;
}
