import type { ListedAlert, ShownAlert } from "../alerts/alert-settings.ts";
import { readAlert, shownAlerts } from "../alerts/alert-settings.ts";
import type { CallerRow, Read } from "../accounts/callers.ts";
import { fragment } from "../driver/fragment.ts";
import type { ListedHook, ShownHook } from "../deployments/hook-settings.ts";
import { readHook, shownHooks } from "../deployments/hook-settings.ts";
import { asList } from "../lists.ts";
import { replaceAddress } from "../watching/watched-urls.ts";
import { isVisibleProject, updateProjectState } from "./projects.ts";
import type { Sql } from "../driver/sql.ts";

/** A watched URL besides the project's address. */
export interface WatchedUrl {
  id: string;
  url: string;
}

/** What the settings of a project show. */
export interface ProjectSettings {
  id: string;
  name: string;
  url: string;
  isOwn: boolean;
  badgeId: string | null;
  /** How many URLs are watched besides the address. */
  watched: number;
  /** One page of these, by URL. */
  urls: WatchedUrl[];
  /** None unless the project is the caller's own. */
  alerts: ShownAlert[];
  /** None unless the project is the caller's own. */
  hooks: ShownHook[];
}

/** `offset`: how many URLs stand on earlier pages. */
export interface UrlPage {
  offset: number;
  rows: number;
}

/** The settings of a visible project; undefined without a caller. */
export async function findProjectSettings(
  sql: Sql,
  caller: CallerRow,
  projectId: string,
  { offset, rows: limit }: UrlPage,
): Promise<Read<ProjectSettings> | undefined> {
  const [row] = await sql.read<
    Omit<ProjectSettings, "id" | "alerts" | "hooks"> & {
      accountId: string;
      id: string | null;
      alerts: ListedAlert[] | null;
      hooks: ListedHook[] | null;
    }
  >`
    select account_id, projects.id, name, projects.url, owner_id = account_id as is_own, badge_id,
      (select count(*)::int from watched_urls where project_id = projects.id and not is_address) as watched,
      ${asList(fragment`
        select id, url from watched_urls where project_id = projects.id and not is_address
        order by url offset ${offset}::int limit ${limit}::int`)} as urls,
      case when owner_id = account_id then ${shownAlerts} end as alerts,
      case when owner_id = account_id then ${shownHooks} end as hooks
    from ${caller} left join projects on ${isVisibleProject(projectId)}`;
  if (row === undefined) return undefined;
  const { accountId, id, alerts, hooks, ...project } = row;
  if (id === null) return { accountId, found: undefined };
  const listed = { alerts: (alerts ?? []).map(readAlert), hooks: (hooks ?? []).map(readHook) };
  return { accountId, found: { ...project, id, ...listed } };
}

/** Renames a project. */
export async function updateProjectName(sql: Sql, id: string, name: string): Promise<void> {
  await sql`update projects set name = ${name} where id = ${id}`;
}

/**
 * Gives a project another address, of which nothing is known yet unless it was watched already. The former one is not
 * watched any more, and its incident is closed.
 */
export async function updateProjectAddress(sql: Sql, id: string, url: string): Promise<void> {
  await sql`
    update projects set url = ${url}, state = 'unknown',
      state_since = case when state = 'unknown' then state_since else now() end
    where id = ${id}`;
  await replaceAddress(sql, id, url);
  await updateProjectState(sql, id);
}
