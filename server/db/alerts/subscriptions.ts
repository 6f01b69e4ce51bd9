import type { AlertState } from "./alerts.ts";
import type { Language } from "../../base/language.ts";
import { isUnlistedId } from "../id.ts";
import { isThere } from "../projects/projects.ts";
import type { Sql } from "../driver/sql.ts";

/** An alert by e-mail, as whoever gets its e-mails may see it. */
export interface Subscription {
  alertId: string;
  projectName: string;
  state: AlertState;
}

/** The alert by e-mail that ends at this address; undefined if there is none. */
export async function findSubscription(
  sql: Sql,
  unsubscribeId: string,
): Promise<Subscription | undefined> {
  if (!isUnlistedId(unsubscribeId)) return undefined;
  const [subscription] = await sql.read<Subscription>`
    select alerts.id as alert_id, projects.name as project_name, alerts.state
    from alerts join projects on projects.id = project_id and ${isThere}
    where unsubscribe_id = ${unsubscribeId}`;
  return subscription;
}

/** An alert with whoever owns its project. */
export interface OwnersAlert {
  email: string;
  /** Null if the owner has chosen none. */
  language: Language | null;
  projectId: string;
  projectName: string;
  kind: string;
  host: string;
}

/** Undefined if the alert, its project or the owner's account is gone. */
export async function findOwnersAlert(sql: Sql, id: string): Promise<OwnersAlert | undefined> {
  const [alert] = await sql.read<OwnersAlert>`
    select email, accounts.language, projects.id as project_id, projects.name as project_name, kind, host
    from alerts join projects on projects.id = project_id join accounts on accounts.id = owner_id
    where alerts.id = ${id} and email is not null`;
  return alert;
}
