import type { Sql } from "../driver/sql.ts";
import { done, firstValue, firstRow, isFound, onlyValue } from "../driver/rows.ts";
import { domainOf } from "../../base/syntax/host-pattern.ts";
import type { Project, ProjectState } from "../../../shared/project.ts";
import type { CallerRow, Read } from "../accounts/callers.ts";
import { fragment, type Fragment } from "../driver/fragment.ts";
import { newId, parseId } from "../id.ts";
import { isLiveInvitation } from "./invitations.ts";
import type { Plan } from "../../base/plans.ts";
import { AppError } from "../../base/errors.ts";
import { BATCH_ROWS } from "../batch.ts";

export const upsertHandOver = (sql: Sql, projectId: string, accountId: string) =>
  done(sql`
    insert into hand_overs (project_id, account_id) values (${projectId}, ${accountId})
    on conflict (project_id) do update set account_id = excluded.account_id, offered_at = now()`);

export const findHandOver = (sql: Sql, projectId: string) =>
  firstValue(sql.read<{ accountId: string }>`
    select account_id from hand_overs where project_id = ${projectId}`);

export const deleteHandOver = (sql: Sql, projectId: string) =>
  done(sql`delete from hand_overs where project_id = ${projectId}`);

/** The project's probes then count for the new owner's account. */
export const updateOwner = (sql: Sql, projectId: string, accountId: string) =>
  done(sql`
    with moved as (
      select looks.number from looks join watched_urls using (number) where project_id = ${projectId}
      order by looks.number for no key update of looks
    ), owner as (
      update projects set owner_id = ${accountId} where id = ${projectId} returning owner_id
    )
    update looks set account = accounts.number
    from moved, owner join accounts on accounts.id = owner_id where looks.number = moved.number`);

const byName = new Intl.Collator("fr", { numeric: true });

const iso = (date: Date | null) => date?.toISOString() ?? null;

/** Rows of a deleted project may remain for a while, and must stay invisible. */
export const isThere: Fragment = fragment`projects.owner_id is not null`;

export const joinCallersProjects = (condition: Fragment) => fragment`
  left join lateral (
    select projects.*, 'owner' as role from projects where owner_id = caller.account_id and ${condition}
    union all
    select projects.*, 'member' from memberships join projects on projects.id = project_id
    where memberships.account_id = caller.account_id and ${isThere} and ${condition}
  ) projects on true`;

interface VisibleProjects {
  projects: Project[];
  plan: Plan;
  checksAMonth: number | null;
  used: number;
}

export async function listProjects(
  sql: Sql,
  caller: CallerRow,
): Promise<Read<VisibleProjects> | undefined> {
  const rows = await sql.read<
    { [Key in keyof Project]: Project[Key] } & {
      accountId: string;
      plan: Plan;
      checksAMonth: number | null;
      used: number;
      stateSince: Date | null;
      lastCheckedAt: Date | null;
    }
  >`
    select caller.account_id, plan, checks_a_month, coalesce(used, 0) as used, projects.id, name, projects.url, state, state_since, role,
      looked_at as last_checked_at, score
    from ${caller} join accounts on accounts.id = caller.account_id
    left join usage on usage.account_id = caller.account_id
      and month = date_trunc('month', now() at time zone 'utc')::date
    ${joinCallersProjects(fragment`true`)}
    left join watched_urls on project_id = projects.id and is_address
    left join looks on looks.number = watched_urls.number`;
  const [first] = rows;
  if (first === undefined) return undefined;
  const projects = rows
    .filter((row) => row.id !== null)
    .map(({ id, name, url, state, role, score, ...row }) => {
      const times = { stateSince: iso(row.stateSince), lastCheckedAt: iso(row.lastCheckedAt) };
      return { id, name, url, state, role, score, ...times };
    })
    .toSorted((a, b) => byName.compare(a.name, b.name) || byName.compare(a.id, b.id));
  const { accountId, plan, checksAMonth, used } = first;
  return { accountId, found: { projects, plan, checksAMonth, used } };
}

export const isVisible: Fragment = fragment`${isThere} and (projects.owner_id = caller.account_id or exists (
    select from memberships
    where memberships.account_id = caller.account_id and project_id = projects.id
  ))`;

/** An id of the wrong shape costs the same and gives the same answer as an unknown one. */
export const isVisibleProject = (id: string) =>
  fragment`projects.id = ${parseId("prj", id)} and ${isVisible}`;

export type OneProject = { readonly id: string } | { readonly name: string };

/** A text with a control character cannot be a name. */
export const chooseProject = (wanted: string): OneProject =>
  parseId("prj", wanted) !== null || /\p{Cc}/u.test(wanted) ? { id: wanted } : { name: wanted };

export type ProjectChoice = OneProject | "all";

/** The id is null if the caller sees no such project. */
export function joinChosenProjects(choice: ProjectChoice): Fragment {
  if (choice === "all") return joinCallersProjects(fragment`true`);
  if ("id" in choice) return fragment`left join projects on ${isVisibleProject(choice.id)}`;
  return joinCallersProjects(fragment`name = ${choice.name}`);
}

/** Throws `project_ambiguous` if several projects have the requested name. */
export function findOnlyProject(rows: readonly { projectId: string | null }[]): string | undefined {
  const [id, ...others] = new Set(rows.flatMap(({ projectId }) => projectId ?? []));
  if (id === undefined || others.length === 0) return id;
  throw new AppError("project_ambiguous", { projectIds: [id, ...others].toSorted() });
}

/** Results of probes and changes of members are then stored one after another. */
export const lockProject = (sql: Sql, id: string) =>
  done(sql`select from projects where id = ${id} for no key update`);

/** `state_since` changes only with the state; a failing state begins with its incident. */
export const updateProjectState = (sql: Sql, id: string) =>
  done(sql`
    with failing as (
      select is_address, since from incidents join watched_urls on watched_urls.id = watched_url_id
      where incidents.project_id = ${id} and closed_at is null
    ), next as (
      select case
          when exists (select from failing where is_address) then 'down'
          when exists (select from failing) then 'degraded'
          when address.paused_at is not null then 'unknown'
          when projects.state <> 'unknown' or looks.last_outcome = 'good' then 'up'
          else 'unknown'
        end as state,
        (select min(since) from failing where is_address or not exists (select from failing where is_address)) as since
      from projects join watched_urls address on address.project_id = projects.id and address.is_address
      join looks on looks.number = address.number
      where projects.id = ${id}
    )
    update projects set state = next.state, state_since = greatest(coalesce(next.since, now()), state_since)
    from next where projects.id = ${id} and projects.state <> next.state`);

export interface ProjectSummary {
  id: string;
  name: string;
  url: string;
  owner: string;
  state: ProjectState;
  members: string[];
  invited: string[];
}

export const insertProject = (
  sql: Sql,
  project: { id: string; ownerId: string; name: string; url: string },
) =>
  isFound(sql`
    with project as (
      insert into projects (id, owner_id, name, url)
      values (${project.id}, ${project.ownerId}, ${project.name}, ${project.url})
      on conflict (id) do nothing returning id, url
    )
    insert into watched_urls (id, project_id, url, domain, is_address)
    select ${newId("url")}, id, url, ${domainOf(project.url)}, true from project
    returning id`);

export interface OwnProject {
  id: string;
  name: string;
  url: string;
  /** Seconds between two probes; null for the server's default. */
  interval: number | null;
  failures: number;
}

export const listOwnProjects = (sql: Sql, accountId: string) =>
  sql.read<OwnProject>`
    select id, name, url, interval_seconds as interval, failures from projects
    where owner_id = ${accountId} order by name, id`;

export const countOwnProjects = (sql: Sql, accountId: string) =>
  onlyValue(sql.read<{ count: number }>`
    select count(*)::int as count from projects where owner_id = ${accountId}`);

const SUMMARY = fragment`
      projects.id, name, url, (select email from accounts where id = owner_id) as owner, state,
      to_json(array(select (select email from accounts where id = account_id) as email from memberships
        where project_id = projects.id order by email)) as members,
      to_json(array(select email from invitations
        where project_id = projects.id and ${isLiveInvitation} order by email)) as invited`;

export const findProjectSummary = (sql: Sql, id: string) =>
  firstRow(sql.read<ProjectSummary>`
    select ${SUMMARY} from projects where ${isThere} and projects.id = ${parseId("prj", id)}`);

export const listAllProjects = (sql: Sql, after: Pick<ProjectSummary, "name" | "id"> | null) =>
  sql.read<ProjectSummary>`
    select ${SUMMARY} from projects
    where ${isThere} and ${after === null ? fragment`true` : fragment`(name, projects.id) > (${after.name}, ${after.id})`}
    order by name, projects.id limit ${BATCH_ROWS}`;
