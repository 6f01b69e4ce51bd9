import type { Actor } from "../db/actors.ts";
import { lockActorsProject, type ActorsProject } from "../db/projects.ts";
import type { Sql } from "../db/sql.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";

/**
 * Throws `project_not_found` where there is no project that the actor may see, and `owner_only` to its members, who may
 * change nothing of it.
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
 * Changes a project of the actor's in one transaction, with its row locked, so that it stays the actor's meanwhile.
 * Throws `project_not_found`, `owner_only`.
 */
export function changeProject<Result>(
  { database }: Deps,
  actor: Actor,
  id: string,
  change: (sql: Sql, project: ActorsProject) => Promise<Result>,
): Promise<Result> {
  return database.begin(async (sql) =>
    change(sql, requireOwn(await lockActorsProject(sql, actor, id), id)),
  );
}
