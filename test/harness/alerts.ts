import { addAlert, type AddedAlert, type WantedAlert } from "../../server/alerts/alerts.ts";
import { OPERATOR, type Manager } from "../../server/db/accounts/actors.ts";
import { listDeliveries, type Delivery } from "../../server/db/alerts/alerts.ts";
import { newId } from "../../server/db/id.ts";
import { announceIncident } from "../../server/db/alerts/outbox.ts";
import type { TestServer } from "./server.ts";
import { waitUntil } from "./slow-site.ts";

/** Adds a target that is told of everything, in English. */
export const addTarget = (
  { deps }: TestServer,
  projectId: string,
  target: string,
  wanted: Partial<WantedAlert> = {},
  actor: Manager = OPERATOR,
): Promise<AddedAlert> =>
  addAlert(deps, actor, projectId, {
    kind: "webhook",
    on: ["incident", "ship"],
    language: "en",
    ...wanted,
    target,
  });

export const REASON = { fr: "Le serveur répond 500.", en: "The server answers 500." };

/** A server, or its database opened without one. */
interface Opened {
  deps: Pick<TestServer["deps"], "database">;
}

/** Opens an incident of a project as a look does, and returns its id. */
export async function openOne(
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

/** Closes an incident as a look does. */
export const closeOne = ({ deps }: TestServer, id: string): Promise<void> =>
  deps.database.begin(async (sql) => {
    await sql`update incidents set closed_at = now() where id = ${id}`;
    await announceIncident(sql, "incident.closed", id);
  });

/** Makes what waits of an alert due now. */
export async function hurry({ sql }: TestServer, alertId: string): Promise<void> {
  await sql`update messages set due_at = now() where alert_id = ${alertId} and state = 'pending'`;
  await sql`update alerts set due_at = now() where id = ${alertId}`;
}

/** Makes everything about an alert an hour older. */
export async function letHourPass({ sql }: TestServer, alertId: string): Promise<void> {
  await sql`
    update messages set created_at = created_at - interval '1 hour', due_at = due_at - interval '1 hour',
      tried_at = tried_at - interval '1 hour'
    where alert_id = ${alertId}`;
  await sql`
    update alerts set hour_began = hour_began - interval '1 hour', due_at = due_at - interval '1 hour'
    where id = ${alertId}`;
}

/** Waits until the deliveries of an alert, oldest first, are so. */
export async function untilDeliveries(
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
