import type { Actor } from "../db/actors.ts";
import { findActorsProject, updateProjectState } from "../db/projects.ts";
import { deleteWatchedUrl, insertWatchedUrl } from "../db/watched-urls.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { changeProject, requireOwn } from "./ownership.ts";
import { requireVerifiable } from "./urls.ts";

/**
 * Has every cycle look at one more URL, whose id is returned.
 * Throws `project_not_found`, `owner_only`, `url_refused`, `url_watched_already`.
 */
export async function watchUrl(
  deps: Deps,
  actor: Actor,
  projectId: string,
  url: string,
): Promise<string> {
  // Nobody has URLs vetted for the projects of others; what counts is what is found under the lock.
  requireOwn(await findActorsProject(deps.database.sql, actor, projectId), projectId);
  await requireVerifiable(deps, url);
  return changeProject(deps, actor, projectId, async (sql) => {
    const id = await insertWatchedUrl(sql, projectId, url);
    if (id === undefined) throw new AppError("url_watched_already", { projectId });
    return id;
  });
}

/**
 * Has no cycle look at a URL any more, closes its incident and returns its id.
 * Throws `project_not_found`, `owner_only`, and `url_not_watched`, also of the project's address.
 */
export function unwatchUrl(
  deps: Deps,
  actor: Actor,
  projectId: string,
  url: string,
): Promise<string> {
  return changeProject(deps, actor, projectId, async (sql) => {
    const id = await deleteWatchedUrl(sql, projectId, url);
    if (id === undefined) throw new AppError("url_not_watched", { projectId });
    await updateProjectState(sql, projectId);
    return id;
  });
}
