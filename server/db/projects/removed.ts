import type { AlertState } from "../alerts/alerts.ts";
import { claimEnded } from "../claim.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import { firstRow, isFound } from "../driver/rows.ts";

/** Rows that can be put back, by their tables. */
export type KeptRows = Readonly<Record<string, readonly Readonly<Record<string, unknown>>[]>>;

/** What comes back with an alert. */
const MESSAGES_KEPT = 100;

/** The rows of these tables, to be put back. */
async function keepRows(sql: Sql, tables: Readonly<Record<string, Fragment>>): Promise<KeptRows> {
  const kept = Object.entries(tables).reduce(
    (object, [table, select]) => fragment`${object} || jsonb_build_object(${table}::text, array(
      select to_jsonb(one) from (${select}) one))`,
    fragment`'{}'::jsonb`,
  );
  const [row] = await sql<{ rows: KeptRows }>`select ${kept} as rows`;
  return row?.rows ?? {};
}

/**
 * A watched URL with its open incident, the openings of it that wait, and how its last looks went. Its newest check stays while
 * it can be put back.
 */
export const keepUrl = (sql: Sql, isIt: Fragment): Promise<KeptRows> =>
  keepRows(sql, {
    watched_urls: fragment`select * from watched_urls where ${isIt}`,
    looks: fragment`select looks.* from watched_urls join looks using (number) where ${isIt}`,
    incidents: fragment`
      select * from incidents where closed_at is null and watched_url_id = (select id from watched_urls where ${isIt})`,
    messages: fragment`
      select messages.* from incidents
      join messages on incident_id = incidents.id and type = 'incident.opened' and messages.state = 'pending'
      where closed_at is null and watched_url_id = (select id from watched_urls where ${isIt})`,
  });

export const keepMember = (sql: Sql, projectId: string, accountId: string): Promise<KeptRows> =>
  keepRows(sql, {
    memberships: fragment`select * from memberships where project_id = ${projectId} and account_id = ${accountId}`,
  });

export const keepHook = (sql: Sql, id: string): Promise<KeptRows> =>
  keepRows(sql, {
    hooks: fragment`select * from hooks where id = ${id}`,
    hook_deliveries: fragment`select * from hook_deliveries where hook_id = ${id}`,
    answers: fragment`select * from answers where id = ${id}`,
    statuses: fragment`
      select * from statuses where hook_id = ${id} order by created_at desc, id desc limit ${MESSAGES_KEPT}::int`,
  });

/** An alert with its newest messages. */
export const keepAlert = (sql: Sql, id: string): Promise<KeptRows> =>
  keepRows(sql, {
    alerts: fragment`select * from alerts where id = ${id}`,
    messages: fragment`
      select * from messages where alert_id = ${id} order by created_at desc, id desc limit ${MESSAGES_KEPT}::int`,
  });

export const keepBadge = (sql: Sql, projectId: string): Promise<KeptRows> =>
  keepRows(sql, {
    projects: fragment`select badge_id from projects where id = ${projectId} and badge_id is not null`,
  });

/** Selects, in a `from` clause, the rows of a table that an act keeps. */
const keptIn = (table: Fragment, actId: string): Fragment => fragment`
  acts, jsonb_populate_recordset(null::${table}, removed -> '${table}') kept where acts.id = ${actId}`;

/**
 * Watches a URL again, from now on; false if it is watched already. What its looks saw stays, and its incident goes on: whom
 * nobody has told of its end yet is told of none.
 */
export async function restoreUrl(sql: Sql, actId: string): Promise<boolean> {
  const rows = await sql`
    insert into watched_urls overriding system value
    select kept.* from ${keptIn(fragment`watched_urls`, actId)} on conflict (project_id, url) do nothing returning id`;
  if (rows.length === 0) return false;
  await sql`
    update looks set looked_at = kept.looked_at, first_looked_at = kept.first_looked_at, verified_at = kept.verified_at,
      failing_since = kept.failing_since, last_outcome = kept.last_outcome, streak = kept.streak, hour = kept.hour,
      first_byte_sum = kept.first_byte_sum, first_byte_max = kept.first_byte_max, looks = kept.looks,
      failed = kept.failed, inconclusive = kept.inconclusive
    from ${keptIn(fragment`looks`, actId)} and looks.number = kept.number`;
  await sql`
    with reopened as (
      update incidents set closed_at = null from ${keptIn(fragment`incidents`, actId)} and incidents.id = kept.id
      returning incidents.id
    )
    delete from messages using reopened
    where incident_id = reopened.id and type = 'incident.closed' and messages.state = 'pending'`;
  await sql`
    with back as (
      insert into messages select kept.* from ${keptIn(fragment`messages`, actId)}
        and exists (select from alerts where alerts.id = kept.alert_id)
      on conflict do nothing returning alert_id, due_at
    )
    update alerts set due_at = least(alerts.due_at, back.due_at) from back where alerts.id = alert_id`;
  return true;
}

/** Somebody who is a member again; undefined for a member, and for an account that is gone. */
export const restoreMember = (sql: Sql, actId: string) =>
  firstRow(sql<{ accountId: string; email: string }>`
    with restored as (
      insert into memberships
      select kept.* from ${keptIn(fragment`memberships`, actId)}
        and exists (select from accounts where accounts.id = kept.account_id and email is not null)
      on conflict do nothing returning account_id
    )
    select account_id, email from restored join accounts on accounts.id = account_id`);

/** False if the project has as many hooks as it may. */
export async function restoreHook(
  sql: Sql,
  actId: string,
  { projectId, limit }: { projectId: string; limit: number },
): Promise<boolean> {
  const rows = await sql`
    insert into hooks select kept.* from ${keptIn(fragment`hooks`, actId)}
      and (select count(*) from hooks where project_id = ${projectId}) < ${limit}::int
    returning id`;
  if (rows.length === 0) return false;
  await sql`insert into hook_deliveries select kept.* from ${keptIn(fragment`hook_deliveries`, actId)}`;
  await sql`insert into answers select kept.* from ${keptIn(fragment`answers`, actId)}`;
  await sql`
    insert into statuses select kept.* from ${keptIn(fragment`statuses`, actId)}
      and (deployment_id is null or exists (select from deployments where deployments.id = kept.deployment_id))`;
  await sql`
    update answers set ${claimEnded}, due_at = (
      select min(due_at) from statuses where hook_id = answers.id and sent = 'pending'
    ) from ${keptIn(fragment`answers`, actId)} and answers.id = kept.id`;
  return true;
}

export interface RemovedAlert {
  id: string;
  kind: string;
  target: Uint8Array;
  state: AlertState;
}

export const findRemovedAlert = (sql: Sql, actId: string) =>
  firstRow(sql<RemovedAlert>`
    select kept.id, kept.kind, kept.target, kept.state from ${keptIn(fragment`alerts`, actId)}`);

/** False if the project has as many alerts as it may. What waited is sent now, if the alert is active. */
export async function restoreAlert(
  sql: Sql,
  actId: string,
  alert: {
    id: string;
    projectId: string;
    limit: number;
    recipientId: string | null;
    state: AlertState;
  },
): Promise<boolean> {
  const { id, projectId, limit, recipientId, state } = alert;
  const anew = {
    recipient_id: recipientId,
    state,
    claim_id: null,
    lease_until: null,
    due_at: null,
  };
  const rows = await sql`
    insert into alerts select kept.*
    from acts, jsonb_populate_record(null::alerts, (removed #> '{alerts,0}') || ${JSON.stringify(anew)}::text::jsonb) kept
    where acts.id = ${actId} and (select count(*) from alerts where project_id = ${projectId}) < ${limit}::int
    returning id`;
  if (rows.length === 0) return false;
  await sql`
    insert into messages select kept.* from ${keptIn(fragment`messages`, actId)}
      and (kept.state <> 'pending' or ${state === "active"}::boolean and not (
        kept.type in ('incident.opened', 'incident.reminder')
        and exists (select from incidents where incidents.id = kept.incident_id and closed_at is not null)
      ))`;
  await sql`
    update alerts set due_at = (
      select min(messages.due_at) from messages where alert_id = ${id} and messages.state = 'pending'
    ) where id = ${id}`;
  return true;
}

/** False if the project has another badge by now. */
export const restoreBadge = (sql: Sql, actId: string) =>
  isFound(sql`
    update projects set badge_id = kept.badge_id from ${keptIn(fragment`projects`, actId)}
      and projects.id = acts.project_id and projects.badge_id is null
    returning projects.id`);
