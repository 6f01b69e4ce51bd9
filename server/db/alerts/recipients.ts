import { stopAlerts, targetOf } from "./alerts.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import type { Language } from "../../../shared/language.ts";
import { isUnlistedId, newUnlistedId } from "../id.ts";
import { isThere } from "../projects/projects.ts";
import type { Database, Sql } from "../driver/sql.ts";
import { done, firstRow, isFound } from "../driver/rows.ts";

export type Consent = "waiting" | "accepted" | "ended";

export interface Recipient {
  id: string;
  projectName: string;
  state: Consent;
}

export async function findRecipient(sql: Sql, id: string): Promise<Recipient | undefined> {
  if (!isUnlistedId(id)) return undefined;
  return firstRow(sql.read<Recipient>`
    select recipients.id, projects.name as project_name, recipients.state
    from recipients join projects on projects.id = project_id and ${isThere} where recipients.id = ${id}`);
}

export const recipientsOf = (projectId: string, hashes: readonly Buffer[]): Fragment => fragment`
  select recipients.id from recipients where recipients.project_id = ${projectId}
    and encode(address_hash, 'hex') in (
      select jsonb_array_elements_text(${JSON.stringify(hashes.map((hash) => hash.toString("hex")))}::text::jsonb))`;

/** The project's row must be locked. Only the first hash, made with the current key, is stored. */
export async function upsertRecipient(
  sql: Sql,
  projectId: string,
  hashes: readonly Buffer[],
): Promise<{ id: string; state: Consent }> {
  const [found] = await sql<{ id: string; state: Consent }>`
    select id, state from recipients where id in (${recipientsOf(projectId, hashes)}) for key share`;
  if (found) return found;
  const id = newUnlistedId();
  await sql`insert into recipients (id, project_id, address_hash) values (${id}, ${projectId}, ${hashes[0] ?? null})`;
  return { id, state: "waiting" };
}

export const recordConsentRequest = (sql: Sql, id: string) =>
  isFound(sql`
    update recipients set asked_at = now()
    where id = ${id} and state = 'waiting' and coalesce(asked_at < now() - interval '1 day', true) returning id`);

export const clearConsentRequest = (sql: Sql, id: string) =>
  done(sql`update recipients set asked_at = null where id = ${id}`);

export const isMemberAddress = (sql: Sql, projectId: string, email: string) =>
  isFound(sql.read`
    select from accounts where email = ${email} and id in (
      select owner_id from projects where id = ${projectId}
      union all select account_id from memberships where project_id = ${projectId})`);

/** Read for each message, since members leave and change their addresses. */
export async function findConsent(
  sql: Sql,
  { id, projectId, email }: { id: string; projectId: string; email: string },
): Promise<Consent> {
  const [recipient] = await sql.read<{ state: Consent }>`
    select state from recipients where id = ${id}`;
  const { state } = recipient ?? { state: "ended" };
  const isMember = state === "waiting" && (await isMemberAddress(sql, projectId, email));
  return isMember ? "accepted" : state;
}

/** Alerts that a former owner added stay stopped. */
export const updateConsent = (
  database: Database,
  id: string,
  consent: Exclude<Consent, "waiting">,
) =>
  database.begin(async (sql) => {
    await sql`update recipients set state = ${consent} where id = ${id}`;
    if (consent === "ended") return stopAlerts(sql, fragment`recipient_id = ${id}`, "ended");
    await sql`
      update alerts set state = 'active', failing_since = null
      where recipient_id = ${id} and state in ('waiting', 'ended')`;
  });

/** A new id invalidates the links in earlier e-mails. */
export async function forgetAcceptance(
  sql: Sql,
  projectId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  for (const hash of hashes) {
    const left = recipientsOf(projectId, [hash]);
    await sql`
      update recipients set id = ${newUnlistedId()}, asked_at = null, state = case when state = 'ended' then state else 'waiting' end
      where id in (${left})`;
    const told = fragment`recipient_id in (${left}) and state in ('active', 'paused')`;
    await stopAlerts(sql, told, "waiting");
  }
}

export const activateWaitingAlerts = (sql: Sql, projectId: string, hashes: readonly Buffer[]) =>
  done(sql`
    update alerts set state = 'active', failing_since = null
    where recipient_id in (${recipientsOf(projectId, hashes)}) and state = 'waiting'`);

/** Stops the alerts that previous owners of a project added, and those by e-mail to the last owner. */
export async function stopOwnersAlerts(
  sql: Sql,
  projectId: string,
  hashes: readonly Buffer[],
): Promise<void> {
  await sql`update alerts set is_secret_former = true where project_id = ${projectId} and secret is not null`;
  await stopAlerts(
    sql,
    fragment`project_id = ${projectId}
      and (not is_operators or recipient_id in (${recipientsOf(projectId, hashes)}))`,
    "handed_over",
  );
}

export interface AlertWithOwner {
  email: string;
  language: Language | null;
  projectId: string;
  projectName: string;
  kind: string;
  target: string;
}

export const findAlertWithOwner = (sql: Sql, id: string) =>
  firstRow(sql.read<AlertWithOwner>`
    select email, accounts.language, projects.id as project_id, projects.name as project_name, kind, ${targetOf} as target
    from alerts join projects on projects.id = project_id join accounts on accounts.id = owner_id
    where alerts.id = ${id} and email is not null`);
