import type { ProjectState } from "../../../shared/project.ts";
import type { CallerRow } from "../accounts/callers.ts";
import { fragment } from "../driver/fragment.ts";
import { isVisibleProject, joinCallersProjects } from "./projects.ts";
import type { Sql } from "../driver/sql.ts";

export interface ListedProject {
  id: string;
  name: string;
  url: string;
  state: ProjectState;
  stateSince: Date | null;
  role: "owner" | "member";
  score: number | null;
  lastCheckedAt: Date | null;
  /** At most `MAX_INCIDENTS`. */
  openIncidents: number;
  /** The scores of the newest verified production deployments, oldest first. */
  scores: number[];
}

export interface ProjectListPart {
  projects: readonly ListedProject[];
  /** The id of the last project, if there are more. */
  next: string | undefined;
}

export const MAX_INCIDENTS = 100;
const SHIPS = 20;
const ROWS = 30;

const RANK = fragment`case projects.state when 'down' then 0 when 'degraded' then 1 else 2 end`;

export async function listProjectsOfPage(
  sql: Sql,
  caller: CallerRow,
  after: string,
): Promise<ProjectListPart> {
  const rows = await sql.read<{ [Key in keyof ListedProject]: ListedProject[Key] }>`
    select listed.id, listed.name, listed.url, listed.state, listed.state_since, listed.role, address.score,
      looked_at as last_checked_at,
      (select count(*)::int from (
        select from incidents where project_id = listed.id and closed_at is null limit ${MAX_INCIDENTS}::int
      ) going_on) as open_incidents,
      to_json(array(
        select scores.score from (
          select id, deployed_at from deployments
          where project_id = listed.id and environment = 'production'
          order by deployed_at desc, id desc limit ${SHIPS}::int
        ) ship join scores on deployment_id = ship.id and verdict <> 'inconclusive'
        order by deployed_at, ship.id
      )) as scores
    from ${caller}
    left join lateral (
      select ${RANK} as rank, lower(name) as name, id from projects where ${isVisibleProject(after)}
    ) start on true
    join lateral (
      select projects.*, ${RANK} as rank from (select caller.account_id) caller ${joinCallersProjects(fragment`true`)}
      where projects.id is not null
        and (start.id is null or (${RANK}, lower(projects.name), projects.id) > (start.rank, start.name, start.id))
      order by rank, lower(projects.name), projects.id limit ${ROWS + 1}::int
    ) listed on true
    left join watched_urls address on address.project_id = listed.id and is_address
    left join looks on looks.number = address.number
    order by listed.rank, lower(listed.name), listed.id`;
  const projects = rows.slice(0, ROWS);
  return { projects, next: rows.length > ROWS ? projects.at(-1)?.id : undefined };
}

export type ProjectOfHost = Pick<ListedProject, "id" | "name">;

const MAX_OF_HOST = 3;

export const listOwnOfHost = (
  sql: Sql,
  caller: CallerRow,
  origin: string,
) => sql.read<ProjectOfHost>`
  select projects.id, name from ${caller} join projects on owner_id = caller.account_id
  where starts_with(url || '/', ${origin}::text || '/') order by name, projects.id limit ${MAX_OF_HOST}::int`;
