import type { Language } from "../../../shared/language.ts";
import { claimUnder, selectFree } from "../claim.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import { randomBase62 } from "../id.ts";
import { isThere } from "../projects/projects.ts";
import type { Sql } from "../driver/sql.ts";
import { firstRow } from "../driver/rows.ts";

export interface ClaimedAlert {
  id: string;
  claimId: string;
  projectId: string;
  /** Null if the project was deleted. */
  ownerId: string | null;
  kind: string;
  host: string;
  language: Language;
  target: Uint8Array;
  secret: Uint8Array | null;
  oldSecret: Uint8Array | null;
  recipientId: string | null;
}

/** How many due alerts one statement considers. */
const WINDOW = 500;

/** How many messages this process may send at a time to one host, or for one owner, and how many it is sending. */
export interface Share {
  most: number;
  held: ReadonlyMap<string, number>;
}

export interface Permits {
  free: number;
  hosts: Share;
  owners: Share;
}

/**
 * `table` has the columns `id`, `project_id`, `host` and `due_at`. `since` selects the time at which the oldest pending
 * item of the row `by_owner` became due.
 */
export interface Targets {
  table: Fragment;
  claimed: Fragment;
  since: Fragment;
}

const isDue = fragment`due_at <= now() and exists (select from projects where projects.id = project_id and ${isThere})`;

export const OWNER = fragment`(select owner_id from projects where projects.id = project_id)`;

export const ALERTS: Targets = {
  table: fragment`alerts`,
  claimed: fragment`id, project_id, ${OWNER} as owner_id, kind, host, language, target, secret,
    case when old_secret_until > now() then old_secret end as old_secret, claim_id, recipient_id`,
  since: fragment`(select min(due_at) from messages where alert_id = by_owner.id and state = 'pending')`,
};

const selectDue = ({ table }: Targets, condition: Fragment) =>
  selectFree({
    table,
    columns: fragment`id, host, ${OWNER} as owner_id, due_at`,
    condition,
    order: fragment`due_at`,
    limit: WINDOW,
  });

/** Owners with the fewest messages come first, then targets that have been due longest. */
export async function claimTargets<Claimed extends object>(
  sql: Sql,
  targets: Targets,
  { free, hosts, owners }: Permits,
  leaseMs: number,
): Promise<Claimed[]> {
  const heldOf = ({ held }: Share, key: Fragment) =>
    fragment`coalesce((${JSON.stringify(Object.fromEntries(held))}::text::jsonb ->> ${key})::int, 0)`;
  return sql<Claimed>`
    with due as (${selectDue(targets, isDue)}), by_owner as (
      select *, row_number() over (partition by owner_id order by due_at) + ${heldOf(owners, fragment`owner_id`)} as of_owner
      from due
    ), by_host as (
      select *, row_number() over (partition by host order by of_owner, due_at) + ${heldOf(hosts, fragment`host`)} as at_host
      from by_owner where of_owner <= ${owners.most}::int
    ), chosen as (
      select id as chosen_id from by_host where at_host <= ${hosts.most}::int order by of_owner, due_at limit ${free}::int
    )
    update ${targets.table} set ${claimUnder(randomBase62(20), leaseMs)} from chosen where id = chosen_id
    returning ${targets.claimed}`;
}

/** The messages a second that a host is assumed to accept from one server. */
const A_SECOND = 5;

const busyOf = ({ most, held }: Share) =>
  [...held].filter(([, count]) => count >= most).map(([name]) => name);

/** Busy targets must not delay others. The more there are and the longer they have waited, the longer the delay. */
export async function postponeTargets(
  sql: Sql,
  targets: Targets,
  { hosts, owners }: Permits,
): Promise<number> {
  const [busyHosts, busyOwners] = [busyOf(hosts), busyOf(owners)];
  if (busyHosts.length + busyOwners.length === 0) return 0;
  const isIn = (key: Fragment, names: readonly string[]) =>
    fragment`${key} in (select jsonb_array_elements_text(${JSON.stringify(names)}::text::jsonb))`;
  const due = selectDue(
    targets,
    fragment`${isDue} and (${isIn(fragment`host`, busyHosts)} or ${isIn(OWNER, busyOwners)})`,
  );
  const rows = await sql`
    with due as (${due}), by_owner as (
      select *, row_number() over (partition by owner_id order by due_at) as of_owner from due
    ), ranked as (
      select *, row_number() over (partition by host order by of_owner, due_at) as at_host,
        ${targets.since} as since
      from by_owner
    )
    update ${targets.table} set due_at = now() + least((now() - since) / 4, interval '1 minute') + make_interval(secs => 0.5
      + greatest(of_owner / ${owners.most}::float8, at_host / ${hosts.most}::float8) / ${A_SECOND}::float8)
    from ranked where ${targets.table}.id = ranked.id returning ranked.id`;
  return rows.length;
}

/** Due or not; undefined while another process has it. */
export function claimAlert(sql: Sql, id: string, leaseMs: number) {
  const free = selectFree({
    table: fragment`alerts`,
    columns: fragment`id as free_id`,
    condition: fragment`id = ${id}`,
    order: fragment`id`,
    limit: 1,
  });
  return firstRow(sql<ClaimedAlert>`
    with free as (${free})
    update alerts set ${claimUnder(randomBase62(20), leaseMs)} from free where id = free_id returning ${ALERTS.claimed}`);
}
