import { fragment } from "../driver/fragment.ts";
import { iso } from "./outbox.ts";
import type { Sql } from "../driver/sql.ts";
import { done } from "../driver/rows.ts";

/** The most bytes of the messages that a summary repeats; the summary itself stays under 20 KB. */
const MAX_BYTES = fragment`12000`;

/** Puts what waited for an hour to be over, and was never tried, into one message of type `summary`. */
export const summarize = (sql: Sql, alertId: string, id: string) =>
  done(sql`
    with waited as (
      delete from messages using alerts
      where alerts.id = ${alertId} and alert_id = alerts.id and messages.state = 'pending' and attempts = 0
        and type in ('incident.opened', 'incident.reminder', 'incident.closed', 'ship.scored') and messages.due_at <= now()
        and messages.created_at < hour_began + interval '1 hour'
      returning messages.*
    ), items as (
      select *, jsonb_build_object('type', type, 'timestamp', ${iso(fragment`created_at`)}, 'incident', data -> 'incident',
        'deployment', data -> 'deployment') as item
      from waited
    ), fitting as (
      select item, created_at, id, sum(octet_length(item::text)) over (order by created_at, id) as bytes from items
    ), types as (
      select jsonb_object_agg(type, count) as counts from (select type, count(*) from waited group by type) by_type
    )
    insert into messages (id, alert_id, project_id, type, data)
    select ${id}, ${alertId}, min(project_id), 'summary', jsonb_build_object(
      'project', (select data -> 'project' from waited order by created_at desc, id desc limit 1),
      'incident', null, 'deployment', null,
      'summary', jsonb_build_object('count', count(*), 'types', (select counts from types),
        'first', coalesce((select jsonb_agg(item order by created_at, id) from fitting where bytes <= ${MAX_BYTES}), '[]')))
    from waited having count(*) > 0`);
