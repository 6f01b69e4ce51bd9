import { shownAlerts, type ShownAlert } from "../alerts/alert-settings.ts";
import type { CallerRow, Read } from "../accounts/callers.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import { shownHooks, type ShownHook } from "../deployments/hook-settings.ts";
import { selectPart, type ListChoice, type ListPart } from "../paged-lists.ts";
import { shownWindows, type Window } from "../watching/maintenance.ts";
import { untilNextTurn } from "../watching/looks.ts";
import { replaceAddress } from "../watching/watched-urls.ts";
import { NO_GATE, type ProjectGate } from "./gates.ts";
import { shownMembers, type Member } from "./members.ts";
import type { Previews } from "./previews.ts";
import { urlsThat, type UrlRow } from "./project-lists.ts";
import { isVisibleProject, updateProjectState } from "./projects.ts";
import { statusSettings, type StatusSettings } from "./status-pages.ts";
import type { Sql } from "../driver/sql.ts";
import { done } from "../driver/rows.ts";

type ListedOn = "urls" | "people" | "hooks" | "alerts" | "maintenance";

export interface ProjectSettings {
  id: string;
  name: string;
  url: string;
  isOwn: boolean;
  badgeId: string | null;
  gate: ProjectGate;
  previews: Previews;
  /** Seconds between two probes; null for the server's default. */
  interval: number | null;
  failures: number;
  /** True if a failure from only one location is an incident. */
  oneLocation: boolean;
  statusPage: StatusSettings | null;
  /** How many URLs are watched, without the address. */
  watched: number;
  urls: ListPart<UrlRow>;
  /** These lists have the requested page and the first row of the next one. */
  people: Member[];
  alerts: ShownAlert[];
  hooks: ShownHook[];
  maintenance: Window[];
}

/** Only the owner gets the list that `of` names. */
export async function findProjectSettings(
  sql: Sql,
  caller: CallerRow,
  projectId: string,
  of: string,
  choice: ListChoice,
): Promise<Read<ProjectSettings> | undefined> {
  const listed = (list: ListedOn, select: Fragment, none = fragment`'[]'::json`) =>
    list === of ? fragment`case when owner_id = account_id then ${select} else ${none} end` : none;
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
      interval_seconds as interval, failures, one_location,
      case when owner_id = account_id then ${statusSettings} end as status_page,
      (select count(*)::int from watched_urls where project_id = projects.id and not is_address) as watched,
      ${listed(
        "urls",
        selectPart(urlsThat(fragment`not is_address`), choice),
        fragment`'{"total": 0, "rows": []}'::json`,
      )} as urls,
      ${listed("people", shownMembers(choice))} as people,
      ${listed("alerts", shownAlerts)} as alerts,
      ${listed("hooks", shownHooks)} as hooks,
      ${listed("maintenance", shownWindows(fragment`projects.id`, fragment`true`))} as maintenance
    from ${caller} left join projects on ${isVisibleProject(projectId)}`;
  if (row === undefined) return undefined;
  const { accountId, id, gate, ...project } = row;
  if (id === null) return { accountId, found: undefined };
  return { accountId, found: { ...project, id, gate: gate ?? NO_GATE } };
}

/** A null `intervalSeconds` means the server's default, `serversSeconds`. */
export async function updatePace(
  sql: Sql,
  id: string,
  {
    intervalSeconds,
    failures,
    oneLocation,
  }: {
    intervalSeconds: number | null | undefined;
    failures: number | undefined;
    oneLocation: boolean | undefined;
  },
  serversSeconds: number,
): Promise<void> {
  await sql`
    update projects set failures = coalesce(${failures ?? null}::int, failures),
      one_location = coalesce(${oneLocation ?? null}::boolean, one_location)
    where id = ${id}`;
  if (intervalSeconds === undefined) return;
  await sql`update projects set interval_seconds = ${intervalSeconds} where id = ${id}`;
  const every = intervalSeconds ?? serversSeconds;
  // A probe that is due later than an interval from now keeps its time: the site asked for that wait.
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

/** Nothing is known yet of the new address, unless it was already watched. */
export async function updateProjectAddress(sql: Sql, id: string, url: string): Promise<void> {
  await sql`
    update projects set url = ${url}, state = 'unknown',
      state_since = case when state = 'unknown' then state_since else now() end
    where id = ${id}`;
  await replaceAddress(sql, id, url);
  await updateProjectState(sql, id);
}
