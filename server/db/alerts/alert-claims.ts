import type { Language } from "../../base/language.ts";
import { claimUnder, selectFree } from "../claim.ts";
import { fragment } from "../driver/fragment.ts";
import { randomBase62 } from "../id.ts";
import { isThere } from "../projects/projects.ts";
import type { Sql } from "../driver/sql.ts";

/** An alert whose messages only this process sends, until its claim ends. */
export interface ClaimedAlert {
  id: string;
  claimId: string;
  projectId: string;
  kind: string;
  host: string;
  language: Language;
  target: Uint8Array;
  secret: Uint8Array | null;
  /** The secret before, while it is still good. */
  oldSecret: Uint8Array | null;
  /** An e-mail alert's id for unsubscribing (`StoredAlert`). */
  unsubscribeId: string | null;
}

/** So many of the alerts that are due are looked at in one statement. */
const WINDOW = 500;

/** How many messages this process may begin to send: in all, and besides those that it is sending to each host. */
export interface Places {
  free: number;
  atHost: number;
  held: Readonly<Record<string, number>>;
}

const isDue = fragment`due_at <= now() and exists (select from projects where projects.id = project_id and ${isThere})`;

const OF_ALERT = fragment`id, project_id, kind, host, language, target, secret,
  case when old_secret_until > now() then old_secret end as old_secret, claim_id, unsubscribe_id`;

/** Claims alerts that have something due, the longest due first, with no more of a host than may be sent to it. */
export async function claimAlerts(
  sql: Sql,
  { free, atHost, held }: Places,
  leaseMs: number,
): Promise<ClaimedAlert[]> {
  const due = selectFree({
    table: fragment`alerts`,
    columns: fragment`id, host, due_at`,
    condition: isDue,
    order: fragment`due_at`,
    limit: WINDOW,
  });
  return sql<ClaimedAlert>`
    with due as (${due}), ranked as (
      select id, due_at, row_number() over (partition by host order by due_at)
        + coalesce((${JSON.stringify(held)}::text::jsonb ->> host)::int, 0) as place
      from due
    ), chosen as (
      select id as chosen_id from ranked where place <= ${atHost}::int order by due_at limit ${free}::int
    )
    update alerts set ${claimUnder(randomBase62(20), leaseMs)} from chosen where id = chosen_id returning ${OF_ALERT}`;
}

/** Messages that a host is supposed to take a second from one place. */
const A_SECOND = 5;

/**
 * Puts off alerts that are due at hosts that have their share already, the more so the more of them there are; so they do
 * not stand before others. Returns how many it found.
 */
export async function putOffAlerts(
  sql: Sql,
  hosts: readonly string[],
  atHost: number,
): Promise<number> {
  const due = selectFree({
    table: fragment`alerts`,
    columns: fragment`id, host, due_at`,
    condition: fragment`${isDue} and host in (select jsonb_array_elements_text(${JSON.stringify(hosts)}::text::jsonb))`,
    order: fragment`due_at`,
    limit: WINDOW,
  });
  const rows = await sql`
    with due as (${due}), ranked as (
      select id as ranked_id, row_number() over (partition by host order by due_at) as place from due
    )
    update alerts set due_at = now() + make_interval(secs => 0.5 + place / (${atHost}::float8 * ${A_SECOND}::float8))
    from ranked where id = ranked_id returning id`;
  return rows.length;
}

/** Claims this alert, whether anything of it is due or not; undefined while another process has it. */
export async function claimAlert(
  sql: Sql,
  id: string,
  leaseMs: number,
): Promise<ClaimedAlert | undefined> {
  const free = selectFree({
    table: fragment`alerts`,
    columns: fragment`id as free_id`,
    condition: fragment`id = ${id}`,
    order: fragment`id`,
    limit: 1,
  });
  const [alert] = await sql<ClaimedAlert>`
    with free as (${free})
    update alerts set ${claimUnder(randomBase62(20), leaseMs)} from free where id = free_id returning ${OF_ALERT}`;
  return alert;
}
