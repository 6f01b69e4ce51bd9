import { OWNER, type Targets } from "../alerts/alert-claims.ts";
import { claimEnded } from "../claim.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import type { Sql } from "../driver/sql.ts";
import type { HookProvider } from "../../base/hook-providers.ts";
import { ended } from "./commit-statuses.ts";
import { done } from "../driver/rows.ts";

/** `secret` is sealed. */
export interface StatusReporting {
  id: string;
  repository: string;
  /** The URL of the provider's API, without a slash at its end. */
  api: string;
  host: string;
  /** The context for previews whose environments have a new name each time; null for `shipscore/ENVIRONMENT`. */
  context: string | null;
  comments: boolean;
  /** The app whose key is the secret; null if the secret is a token. */
  appId: string | null;
  installationId: string | null;
  secret: Uint8Array;
}

export interface ClaimedReporting extends StatusReporting {
  claimId: string;
  provider: HookProvider;
  /** Null if the project was deleted. */
  ownerId: string | null;
}

/** `refused`: the provider no longer accepts the credential. */
export type ReportingState = "none" | "active" | "refused";

export const STATUS_REPORTING: Targets = {
  table: fragment`status_reporting`,
  claimed: fragment`id, claim_id, repository, api, host, context, comments, app_id, installation_id, secret,
    (select provider from hooks where hooks.id = status_reporting.id) as provider,
    ${OWNER} as owner_id`,
  since: fragment`(select min(due_at) from statuses where hook_id = by_owner.id and sent = 'pending')`,
};

/** Statuses that are waiting use the new settings. */
export const upsertStatusReporting = (
  sql: Sql,
  projectId: string,
  { id, ...reporting }: StatusReporting,
) =>
  done(sql`
    insert into status_reporting (id, project_id, repository, api, host, context, comments, app_id, installation_id, secret)
    values (${id}, ${projectId}, ${reporting.repository}, ${reporting.api}, ${reporting.host}, ${reporting.context}, ${reporting.comments},
      ${reporting.appId}, ${reporting.installationId}, ${reporting.secret})
    on conflict (id) do update set repository = excluded.repository, api = excluded.api, host = excluded.host,
      context = excluded.context, comments = excluded.comments, app_id = excluded.app_id, installation_id = excluded.installation_id,
      secret = excluded.secret, state = 'active', waits_until = null, ${claimEnded},
      due_at = (select min(due_at) from statuses where hook_id = excluded.id and sent = 'pending')`);

const forget = async (sql: Sql, hooks: Fragment, why: string): Promise<boolean> => {
  const forgotten = await sql`delete from status_reporting where id in (${hooks}) returning id`;
  await sql`
    update statuses set ${ended("dead", why)} where hook_id in (${hooks}) and sent = 'pending'`;
  return forgotten.length > 0;
};

export const deleteStatusReporting = (sql: Sql, hookId: string) =>
  forget(sql, fragment`select ${hookId}::text`, "off");

/** The previous owner chose the credentials. */
export const forgetStatusReporting = (sql: Sql, projectId: string) =>
  forget(sql, fragment`select id from hooks where project_id = ${projectId}`, "handed_over");

export interface ShownReporting extends Pick<
  StatusReporting,
  "repository" | "api" | "context" | "comments" | "appId" | "installationId"
> {
  state: Exclude<ReportingState, "none">;
}

export const shownReporting = fragment`(
  select json_build_object('repository', repository, 'api', api, 'context', context, 'comments', comments, 'appId', app_id,
    'installationId', installation_id, 'state', state)
  from status_reporting where status_reporting.id = hooks.id)`;
