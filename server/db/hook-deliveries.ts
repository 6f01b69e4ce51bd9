import { newId } from "./id.ts";
import type { Sql } from "./sql.ts";

/** What a hook received. */
export interface Delivery {
  id: string;
  at: Date;
  /** As the provider names it. */
  event: string;
  /** `recorded`, or why not: `ignored: state pending`, `refused: signature`. */
  outcome: string;
}

export interface NewDelivery {
  hookId: string;
  event: string;
  outcome: string;
  /** Tells this event from others; null if it was refused. */
  eventKey: string | null;
}

/** What a hook keeps, and what is shown of it. */
const KEPT = 100;
const SHOWN = 50;

const REPEATED = "ignored: repeated";

/**
 * Notes what came of a delivery, in place of the hook's oldest. Returns the outcome, which of an ignored one is
 * `ignored: repeated` if the same event was ignored or recorded within a day. Nothing is noted of a hook that was removed.
 */
export async function insertDelivery(
  sql: Sql,
  { hookId, event, outcome, eventKey }: NewDelivery,
): Promise<string> {
  const [row] = await sql<{ outcome: string }>`
    with kept as (
      select id, event_key, at from hook_deliveries where hook_id = ${hookId} order by at desc, id desc
    ), beyond as (
      delete from hook_deliveries where id in (select id from kept offset ${KEPT - 1}::int)
    )
    insert into hook_deliveries (id, hook_id, event, outcome, event_key)
    select ${newId("dlv")}, hooks.id, ${event}, case when ${outcome} like 'ignored: %' and exists (
      select from kept where event_key = ${eventKey} and at > now() - interval '24 hours'
    ) then ${REPEATED} else ${outcome} end, ${eventKey}
    from hooks where hooks.id = ${hookId}
    returning outcome`;
  return row?.outcome ?? outcome;
}

/** The last deliveries of a hook, newest first. */
export const listDeliveries = (sql: Sql, hookId: string): Promise<Delivery[]> =>
  sql<Delivery>`
    select id, at, event, outcome from hook_deliveries where hook_id = ${hookId}
    order by at desc, id desc limit ${SHOWN}::int`;
