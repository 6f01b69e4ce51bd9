import type { Language } from "../../../shared/language.ts";
import { cancelPending } from "./deliveries.ts";
import { claimEnded } from "../claim.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import { newId, parseId } from "../id.ts";
import type { MessageType } from "../../../shared/message.ts";
import { MAX_ALERTS, PROJECT } from "./outbox.ts";
import { isThere } from "../projects/projects.ts";
import type { Sql } from "../driver/sql.ts";
import { firstRow, isFound, onlyValue } from "../driver/rows.ts";

export const OCCASIONS = ["incident", "ship", "drop"] as const;
export type Occasion = (typeof OCCASIONS)[number];

/**
 * Only an active alert sends messages by itself. `waiting`: the recipient has not accepted. `paused`: it failed for too
 * long. `handed_over`: a former owner of the project added it. `ended`: the target ended it.
 */
export type AlertState = "active" | "waiting" | "paused" | "handed_over" | "ended";

export interface AlertRow {
  id: string;
  kind: string;
  on: Occasion[];
  label: string;
  /** The host; for an e-mail address also the ends of the mailbox: `p...l@teashop.example`. */
  target: string;
  host: string;
  language: Language;
  state: AlertState;
  failingSince: Date | null;
  after: number | null;
  remind: number | null;
}

export const occasionsOf = fragment`
  array_remove(array[case when tells_incidents then 'incident' end, case when tells_ships then 'ship' end,
    case when tells_drops then 'drop' end], null)`;

export const targetOf = fragment`coalesce(shown, host)`;

export const listAlerts = (sql: Sql, projectId: string) => sql.read<AlertRow>`
  select id, kind, label, ${targetOf} as target, host, language, state, failing_since, ${occasionsOf} as on,
    after_minutes as after, remind_hours as remind
  from alerts where project_id = ${parseId("prj", projectId)} order by created_at, id`;

export interface StoredTarget {
  target: Uint8Array;
  host: string;
  shown: string;
  recipientId: string | null;
  isOperators: boolean;
  state: AlertState;
}

export interface AlertDetails {
  label: string;
  language: Language;
  on: readonly Occasion[];
  /** Announces an incident only if it lasts this many minutes; null means immediately. */
  after: number | null;
  /** The hours between reminders; null for none. */
  remind: number | null;
}

export interface StoredAlert extends StoredTarget, AlertDetails {
  id: string;
  projectId: string;
  kind: string;
  secret: Uint8Array | null;
}

/** Now, since some incidents may be open. */
const remindAt = (remind: number | null) => (remind === null ? fragment`null` : fragment`now()`);

/** The project's row must be locked. */
export function insertAlert(sql: Sql, alert: StoredAlert) {
  const { on, projectId } = alert;
  return isFound(sql`
    insert into alerts (id, project_id, kind, target, host, shown, label, secret, language, tells_incidents, tells_ships,
      tells_drops, after_minutes, remind_hours, remind_at, recipient_id, is_operators, state)
    select ${alert.id}, ${projectId}, ${alert.kind}, ${alert.target}, ${alert.host}, ${alert.shown}, ${alert.label},
      ${alert.secret}, ${alert.language}, ${on.includes("incident")}, ${on.includes("ship")}, ${on.includes("drop")},
      ${alert.after}, ${alert.remind}, ${remindAt(alert.remind)}, ${alert.recipientId}, ${alert.isOperators}, ${alert.state}
    where (select count(*) from alerts where project_id = ${projectId}) < ${MAX_ALERTS}::int
    returning id`);
}

export const findOwnersLanguage = (sql: Sql, projectId: string) =>
  onlyValue(sql.read<{ language: Language }>`
    select coalesce(accounts.language, 'fr') as language
    from projects join accounts on accounts.id = owner_id where projects.id = ${parseId("prj", projectId)}`);

export interface AlertOfProject {
  id: string;
  projectId: string;
  kind: string;
  target: string;
  language: Language;
  state: AlertState;
  isSecretFormer: boolean;
}

export const findAlert = (sql: Sql, id: string) =>
  firstRow(sql.read<AlertOfProject>`
    select alerts.id, project_id, kind, ${targetOf} as target, alerts.language, alerts.state, is_secret_former from alerts join projects on projects.id = project_id and ${isThere}
    where alerts.id = ${parseId("alr", id)}`);

export const deleteAlert = (sql: Sql, id: string) =>
  isFound(sql`delete from alerts where id = ${id} returning id`);

export const updateSecret = (sql: Sql, id: string, secret: Uint8Array) =>
  isFound(sql`
    update alerts set old_secret = secret, old_secret_until = now() + interval '24 hours', secret = ${secret},
      is_secret_former = false
    where id = ${id} returning id`);

/**
 * Pending messages follow the alert to a new target. A message that is being sent may still arrive at the old target;
 * its result is discarded, and it is sent again.
 */
export async function updateAlert(
  sql: Sql,
  id: string,
  { label, language, on, after, remind }: AlertDetails,
  to: StoredTarget | undefined,
  secret?: Uint8Array,
): Promise<boolean> {
  const renewed =
    secret &&
    fragment`, secret = ${secret}, old_secret = null, old_secret_until = null, is_secret_former = false`;
  const moved =
    to &&
    fragment`, target = ${to.target}, host = ${to.host}, shown = ${to.shown}, recipient_id = ${to.recipientId},
      is_operators = ${to.isOperators}, state = ${to.state}, failing_since = null, ${claimEnded},
      due_at = (select min(due_at) from messages where alert_id = alerts.id and state = 'pending')`;
  const rows = await sql`
    update alerts set label = ${label}, language = ${language}, tells_incidents = ${on.includes("incident")},
      tells_ships = ${on.includes("ship")}, tells_drops = ${on.includes("drop")},
      after_minutes = ${after}, remind_hours = ${remind}, remind_at = ${remindAt(remind)} ${moved ?? fragment``} ${renewed ?? fragment``}
    where id = ${id} returning id`;
  const state = to?.state;
  if (state === "waiting" || state === "ended") await stopAlerts(sql, fragment`id = ${id}`, state);
  return rows.length === 1;
}

/** A message that is being sent may still arrive. */
export async function stopAlerts(
  sql: Sql,
  which: Fragment,
  state: Exclude<AlertState, "active" | "paused">,
): Promise<void> {
  const stopped = await sql<{ id: string }>`
    update alerts set state = ${state}, due_at = null, ${claimEnded} where ${which} returning id`;
  for (const { id } of stopped) await cancelPending(sql, id, state);
}

/** `error` is the code of the last attempt's failure. */
export interface Delivery {
  id: string;
  alertId: string;
  type: MessageType;
  state: "pending" | "sent" | "dead";
  attempts: number;
  error: string | null;
  createdAt: Date;
  dueAt: Date | null;
  endedAt: Date | null;
}

const DELIVERIES = 50;

const DELIVERY = fragment`id, alert_id, type, state, attempts, error, created_at, ended_at,
  case when state = 'pending' then due_at end as due_at`;

export const listDeliveries = (sql: Sql, alertId: string) => sql.read<Delivery>`
  select ${DELIVERY} from messages where alert_id = ${parseId("alr", alertId)}
  order by created_at desc, id desc limit ${DELIVERIES}::int`;

export const findDelivery = (sql: Sql, id: string) =>
  firstRow(sql.read<Delivery>`
    select ${DELIVERY} from messages where id = ${parseId("msg", id)}`);

export async function insertTest(sql: Sql, alertId: string): Promise<string> {
  const id = newId("msg");
  await sql`
    insert into messages (id, alert_id, project_id, type, data)
    select ${id}, alerts.id, projects.id, 'test', jsonb_build_object('project', ${PROJECT}, 'incident', null, 'deployment', null)
    from alerts join projects on projects.id = project_id where alerts.id = ${alertId}`;
  await sql`update alerts set due_at = least(due_at, now()) where id = ${alertId}`;
  return id;
}

export async function queueAgain(sql: Sql, { id, alertId }: Delivery): Promise<boolean> {
  await sql`update alerts set due_at = least(due_at, now()) where id = ${alertId}`;
  return isFound(sql`
    update messages set state = 'pending', due_at = now(), ended_at = null where id = ${id} and state <> 'sent' returning id`);
}
