import { addAlert, type AddedAlert, type WantedAlert } from "../../server/alerts/alerts.ts";
import { OPERATOR, type Manager } from "../../server/db/accounts/actors.ts";
import { listDeliveries, type Delivery } from "../../server/db/alerts/alerts.ts";
import { updateConsent, upsertRecipient } from "../../server/db/alerts/recipients.ts";
import { newId } from "../../server/db/id.ts";
import { announceIncident } from "../../server/db/alerts/outbox.ts";
import type { Person } from "./people.ts";
import type { TestServer } from "./server.ts";
import { waitUntil } from "./slow-site.ts";

/** Adds an alert for everything, in English. The recipient of an e-mail alert has accepted already. */
export async function addTarget(
  { deps }: TestServer,
  projectId: string,
  target: string,
  wanted: Partial<WantedAlert> = {},
  actor: Manager = OPERATOR,
): Promise<AddedAlert> {
  if (wanted.kind === "email") {
    const hashes = deps.secretBox.hash(target, projectId);
    const { id } = await upsertRecipient(deps.database.sql, projectId, hashes);
    await updateConsent(deps.database, id, "accepted");
  }
  return addAlert(deps, actor, projectId, {
    kind: "webhook",
    on: ["incident", "ship"],
    language: "en",
    ...wanted,
    target,
  });
}

/** Adds new projects to an account, each with a webhook and one message that is due. All webhooks use this port, on different hosts. */
export async function addCrowd(
  { deps, sql }: TestServer,
  { accountId }: Person,
  count: number,
  port: number,
): Promise<void> {
  const alerts = Array.from({ length: count }, (_, index) => {
    const id = newId("alr");
    const host = `127.9.${index >> 8}.${index & 255}:${port}`;
    const target = Buffer.from(deps.secretBox.seal(`https://${host}/`, id)).toString("base64");
    const projectId = `prj_${accountId.slice(-10)}${index % Math.ceil(count / 20)}`;
    return { id, host, target, projectId, messageId: newId("msg") };
  });
  const rows = JSON.stringify(alerts);
  await sql`
    insert into projects (id, owner_id, name, url)
    select distinct said ->> 'projectId', ${accountId}, 'Crowd', 'https://example.com/'
    from jsonb_array_elements(${rows}::text::jsonb) said`;
  await sql`
    with said as (
      select * from jsonb_to_recordset(${rows}::text::jsonb)
        as said (id text, host text, target text, "projectId" text, "messageId" text)
    ), added as (
      insert into alerts (id, project_id, kind, target, host, tells_incidents, tells_ships, tells_drops, due_at)
      select id, "projectId", 'slack', decode(target, 'base64'), host, true, true, true, now() from said returning id
    )
    insert into messages (id, alert_id, project_id, type, data)
    select "messageId", id, "projectId", 'test', jsonb_build_object('project', jsonb_build_object('id', "projectId", 'name',
      'Crowd', 'url', 'https://example.com/'), 'incident', null, 'deployment', null)
    from said join added using (id)`;
}

export const REASON = { fr: "Le serveur répond 500.", en: "The server answers 500." };

/** A server, or its database opened without one. */
interface Opened {
  deps: Pick<TestServer["deps"], "database">;
}

/** Opens an incident of a project as a probe does, and returns its id. */
export async function openIncident(
  { deps }: Opened,
  projectId: string,
  url = "https://example.com/page",
  reason = REASON,
): Promise<string> {
  const id = newId("inc");
  await deps.database.begin(async (sql) => {
    await sql`
      insert into incidents (id, watched_url_id, project_id, url, since, reason, last_checked_at)
      values (${id}, ${newId("url")}, ${projectId}, ${url}, now(), ${JSON.stringify(reason)}::text::jsonb, now())`;
    await announceIncident(sql, "incident.opened", id);
  });
  return id;
}

export const closeIncident = ({ deps }: TestServer, id: string): Promise<void> =>
  deps.database.begin(async (sql) => {
    await sql`update incidents set closed_at = now() where id = ${id}`;
    await announceIncident(sql, "incident.closed", id);
  });

export async function makeMessagesDue({ sql }: TestServer, alertId: string): Promise<void> {
  await sql`update messages set due_at = now() where alert_id = ${alertId} and state = 'pending'`;
  await sql`update alerts set due_at = now() where id = ${alertId}`;
}

export async function moveBackOneHour({ sql }: TestServer, alertId: string): Promise<void> {
  await sql`
    update messages set created_at = created_at - interval '1 hour', due_at = due_at - interval '1 hour',
      tried_at = tried_at - interval '1 hour'
    where alert_id = ${alertId}`;
  await sql`
    update alerts set hour_began = hour_began - interval '1 hour', due_at = due_at - interval '1 hour'
    where id = ${alertId}`;
}

/** Waits until the deliveries of an alert, oldest first, match the expected ones. */
export async function waitForDeliveries(
  { sql }: TestServer,
  alertId: string,
  isSo: (deliveries: Delivery[]) => boolean,
): Promise<Delivery[]> {
  let deliveries: Delivery[] = [];
  await waitUntil("deliveries are as expected", async () => {
    deliveries = (await listDeliveries(sql, alertId)).toReversed();
    return isSo(deliveries);
  });
  return deliveries;
}
