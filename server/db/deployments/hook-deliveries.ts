import { newId } from "../id.ts";
import type { Sql } from "../driver/sql.ts";

export interface Delivery {
  id: string;
  at: Date;
  event: string;
  /** `recorded`, or the reason why not: `ignored: state pending`, `refused: signature`. */
  outcome: string;
}

export interface NewDelivery {
  event: string;
  outcome: string;
  eventKey: string | null;
}

export const MAX_DELIVERIES = 100;
const SHOWN = 50;

const REPEATED = "ignored: repeated";

/** An ignored delivery becomes `ignored: repeated` if the same event was ignored or recorded within a day. */
export async function insertDeliveries(
  sql: Sql,
  hookId: string,
  deliveries: readonly NewDelivery[],
): Promise<string[]> {
  const said = deliveries.map((delivery, position) => ({
    ...delivery,
    id: newId("dlv"),
    position,
  }));
  const noted = await sql<{ id: string; outcome: string }>`
    with hook as (
      select id from hooks where id = ${hookId} for key share
    ), said as (
      select * from jsonb_to_recordset(${JSON.stringify(said)}::text::jsonb)
        as said (id text, position integer, event text, outcome text, "eventKey" text)
    ), kept as (
      select id, event_key, at from hook_deliveries where hook_id = ${hookId} order by at desc, id desc
    ), beyond as (
      delete from hook_deliveries where id in (select id from kept offset ${MAX_DELIVERIES - said.length}::int)
    )
    insert into hook_deliveries (id, hook_id, at, event, outcome, event_key)
    select said.id, hook.id, clock_timestamp() + position * interval '1 microsecond', event, case when outcome like 'ignored: %' and (exists (
      select from kept where event_key = "eventKey" and at > now() - interval '24 hours'
    ) or exists (
      select from said before where before."eventKey" = said."eventKey" and before.position < said.position
    )) then ${REPEATED} else outcome end, "eventKey"
    from hook, said order by position
    returning id, outcome`;
  const outcomes = new Map(noted.map(({ id, outcome }) => [id, outcome]));
  return said.map(({ id, outcome }) => outcomes.get(id) ?? outcome);
}

export const listDeliveries = (sql: Sql, hookId: string) =>
  sql.read<Delivery>`
    select id, at, event, outcome from hook_deliveries where hook_id = ${hookId}
    order by at desc, id desc limit ${SHOWN}::int`;
