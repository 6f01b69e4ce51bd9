import type { Recorder } from "./actors.ts";
import type { Sql } from "./sql.ts";

/** Something that was done to an account or a project. `details` has no secrets and no personal data. */
export interface Event {
  /** As `token.created`: what it was done to, and what was done. */
  action: string;
  /** The account that it was done to. */
  accountId?: string;
  projectId?: string;
  details?: Readonly<Record<string, string | number | null>>;
}

/** Records what an actor did; belongs into the transaction that does it. */
export async function insertEvent(
  sql: Sql,
  actor: Recorder,
  { action, accountId, projectId, details = {} }: Event,
): Promise<void> {
  const { sessionId = null, address = null } = actor.by === "session" ? actor : {};
  await sql`
    insert into events (action, account_id, project_id, actor, actor_id, session_id, address, details)
    values (${action}, ${accountId ?? null}, ${projectId ?? null}, ${actor.by}, ${actor.accountId}, ${sessionId}, ${address},
      ${JSON.stringify(details)}::text::jsonb)`;
}
