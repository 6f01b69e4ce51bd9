import type { Manager } from "../db/actors.ts";
import { lockActorsProject, type ActorsProject } from "../db/projects.ts";
import type { Sql } from "../db/sql.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";

/**
 * Returns the project if the actor may change it. Throws `project_not_found` for a project that the actor may not see, and
 * `owner_only` for one of which the actor is only a member.
 */
export function requireOwn<Project extends { isOwn: boolean }>(
  project: Project | undefined,
  projectId: string,
): Project {
  if (project === undefined) throw new AppError("project_not_found", { projectId });
  if (!project.isOwn) throw new AppError("owner_only", { projectId });
  return project;
}

/**
 * Runs `change` in a transaction that locks the project's row, so that the project cannot change hands in the meantime.
 * Throws `project_not_found`, `owner_only`.
 */
export function changeProject<Result>(
  { database }: Deps,
  actor: Manager,
  id: string,
  change: (sql: Sql, project: ActorsProject) => Promise<Result>,
): Promise<Result> {
  return database.begin(async (sql) =>
    change(sql, requireOwn(await lockActorsProject(sql, actor, id), id)),
  );
}
