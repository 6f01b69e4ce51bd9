import type { HookProvider } from "../../base/hook-providers.ts";
import { parseId } from "../id.ts";
import { isThere } from "../projects/projects.ts";
import type { Sql } from "../driver/sql.ts";
import type { StatusReporting, ReportingState } from "./status-reporting.ts";
import { done, firstRow, isFound } from "../driver/rows.ts";

export interface NewHook {
  id: string;
  projectId: string;
  provider: HookProvider;
  /** The hook's name in a file; may be empty. */
  name: string;
  /** Sealed; null until it is known. */
  secret: Buffer | null;
}

export const insertHook = (sql: Sql, hook: NewHook, limit: number) =>
  isFound(sql`
    insert into hooks (id, project_id, provider, name, secret)
    select ${hook.id}, ${hook.projectId}, ${hook.provider}, ${hook.name}, ${hook.secret}
    where (select count(*) from hooks where project_id = ${hook.projectId}) < ${limit}::int
    returning id`);

export interface Hook {
  id: string;
  provider: HookProvider;
}

export interface HookOfProject extends Hook {
  projectId: string;
}

export interface ListedHook extends Hook {
  repository: string | null;
  reporting: ReportingState;
}

export const listHooks = (sql: Sql, projectId: string) =>
  sql.read<ListedHook>`
    select hooks.id, provider, repository, coalesce(state, 'none') as reporting from hooks left join status_reporting using (id)
    where hooks.project_id = ${projectId} order by created_at, id`;

export interface NamedHook extends Hook {
  name: string;
  repository: string | null;
  api: string | null;
}

export const listNamedHooks = (sql: Sql, projectId: string) =>
  sql.read<NamedHook>`
    select hooks.id, provider, name, repository, api from hooks left join status_reporting using (id)
    where hooks.project_id = ${projectId} order by created_at, id`;

export const findHook = (sql: Sql, id: string) =>
  firstRow(sql.read<HookOfProject>`
    select hooks.id, provider, project_id from hooks join projects on projects.id = project_id and ${isThere}
    where hooks.id = ${parseId("hook", id)}`);

export const replaceHookSecret = (sql: Sql, id: string, secret: Buffer) =>
  isFound(sql`
    update hooks set old_secret = secret, old_secret_until = now() + interval '24 hours', secret = ${secret}, is_handed_over = false
    where id = ${id} returning id`);

/** Previous owners know the secrets. */
export const forgetHookSecrets = (sql: Sql, projectId: string) =>
  done(sql`
    update hooks set secret = null, old_secret = null, old_secret_until = null, is_handed_over = true
    where project_id = ${projectId}`);

export const deleteHook = (sql: Sql, id: string) =>
  isFound(sql`delete from hooks where id = ${id} returning id`);

export interface OpenHook extends HookOfProject {
  /** The project's owner, for whom the hook acts. */
  accountId: string;
  secret: Buffer | null;
  isHandedOver: boolean;
  previewHosts: string[];
  oldSecret: Buffer | null;
  reporting: Pick<StatusReporting, "id" | "repository" | "context"> | null;
  now: Date;
}

export const findOpenHook = (sql: Sql, id: string) =>
  firstRow(sql.read<OpenHook>`
    select hooks.id, provider, project_id, owner_id as account_id, secret, is_handed_over, preview_hosts,
      case when old_secret_until > now() then old_secret end as old_secret, now(),
      (select json_build_object('id', id, 'repository', repository, 'context', context) from status_reporting
        where status_reporting.id = hooks.id) as reporting
    from hooks join projects on projects.id = project_id and ${isThere}
    where hooks.id = ${parseId("hook", id)}`);
