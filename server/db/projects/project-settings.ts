import { shownAlerts, type ShownAlert } from "../alerts/alert-settings.ts";
import type { CallerRow, Read } from "../accounts/callers.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import { shownHooks, type ShownHook } from "../deployments/hook-settings.ts";
import { asList } from "../lists.ts";
import { shownWindows, type Window } from "../watching/maintenance.ts";
import { untilNextTurn } from "../watching/looks.ts";
import { replaceAddress } from "../watching/watched-urls.ts";
import { NO_GATE, type ProjectGate } from "./gates.ts";
import { shownMembers, type Member } from "./members.ts";
import type { Previews } from "./previews.ts";
import { isVisibleProject, updateProjectState } from "./projects.ts";
import { statusSettings, type StatusSettings } from "./status-pages.ts";
import type { Sql } from "../driver/sql.ts";
import { done } from "../driver/rows.ts";

export interface WatchedUrl {
  id: string;
  url: string;
  isPaused: boolean;
}

/** The pages of a project's settings that have a list. */
export type ListedOn = "urls" | "people" | "hooks" | "alerts" | "maintenance";

export interface ProjectSettings {
  id: string;
  name: string;
  url: string;
  isOwn: boolean;
  badgeId: string | null;
  gate: ProjectGate;
  previews: Previews;
  /** Seconds between two looks; null for the server's own. */
  interval: number | null;
  failures: number;
  /** Whether what fails from one place alone is an incident. */
  onePlace: boolean;
  statusPage: StatusSettings | null;
  /** How many URLs are watched besides the address. */
  watched: number;
  /** One page of these, by URL. */
  urls: WatchedUrl[];
  /** One page of these, and the next one. */
  people: Member[];
  alerts: ShownAlert[];
  hooks: ShownHook[];
  maintenance: Window[];
}

/** `offset`: how many rows of the list stand on earlier pages. */
export interface ListPart {
  of: ListedOn | undefined;
  offset: number;
  rows: number;
}

/** The settings of a visible project, with one of their lists if it is the caller's own; undefined without a caller. */
export async function findProjectSettings(
  sql: Sql,
  caller: CallerRow,
  projectId: string,
  part: ListPart,
): Promise<Read<ProjectSettings> | undefined> {
  const listed = (list: ListedOn, select: Fragment) =>
    list === part.of
      ? fragment`case when owner_id = account_id then ${select} else '[]' end`
      : fragment`'[]'::json`;
  const [row] = await sql.read<
    Omit<ProjectSettings, "id" | "gate"> & {
      accountId: string;
      id: string | null;
      gate: ProjectGate | null;
    }
  >`
    select account_id, projects.id, name, projects.url, owner_id = account_id as is_own, badge_id,
      case when owner_id = account_id then gate end as gate,
      jsonb_build_object('hosts', preview_hosts, 'headers', preview_header_names) as previews,
      interval_seconds as interval, failures, one_place,
      case when owner_id = account_id then ${statusSettings} end as status_page,
      (select count(*)::int from watched_urls where project_id = projects.id and not is_address) as watched,
      ${listed(
        "urls",
        asList(fragment`
        select id, url, paused_at is not null as "isPaused" from watched_urls where project_id = projects.id and not is_address
        order by url offset ${part.offset}::int limit ${part.rows}::int`),
      )} as urls,
      ${listed("people", shownMembers(part))} as people,
      ${listed("alerts", shownAlerts)} as alerts,
      ${listed("hooks", shownHooks)} as hooks,
      ${listed("maintenance", shownWindows(fragment`projects.id`, fragment`true`))} as maintenance
    from ${caller} left join projects on ${isVisibleProject(projectId)}`;
  if (row === undefined) return undefined;
  const { accountId, id, gate, ...project } = row;
  if (id === null) return { accountId, found: undefined };
  return { accountId, found: { ...project, id, gate: gate ?? NO_GATE } };
}

/** What is left out stays; `intervalSeconds` is null for the server's own, `serversSeconds`. */
export async function updatePace(
  sql: Sql,
  id: string,
  {
    intervalSeconds,
    failures,
    onePlace,
  }: {
    intervalSeconds: number | null | undefined;
    failures: number | undefined;
    onePlace: boolean | undefined;
  },
  serversSeconds: number,
): Promise<void> {
  await sql`
    update projects set failures = coalesce(${failures ?? null}::int, failures),
      one_place = coalesce(${onePlace ?? null}::boolean, one_place)
    where id = ${id}`;
  if (intervalSeconds === undefined) return;
  await sql`update projects set interval_seconds = ${intervalSeconds} where id = ${id}`;
  const every = intervalSeconds ?? serversSeconds;
  // What is due later than an interval from now was asked to be left alone for so long.
  await sql`
    with paced as (
      select looks.number from watched_urls join looks using (number)
      where project_id = ${id} order by looks.number for no key update of looks
    )
    update looks set interval_seconds = ${intervalSeconds}, due_at = case
        when due_at <= now() + make_interval(secs => coalesce(interval_seconds, ${serversSeconds}::int))
        then least(due_at, now() + ${untilNextTurn(every)}) else due_at end
    from paced where looks.number = paced.number`;
}

export const updateProjectName = (sql: Sql, id: string, name: string) =>
  done(sql`update projects set name = ${name} where id = ${id}`);

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
