import type { Manager } from "../db/actors.ts";
import { updateProjectState } from "../db/projects.ts";
import { deleteWatchedUrl, insertWatchedUrl } from "../db/watched-urls.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../errors.ts";
import { changeProject } from "./rights.ts";
import { requireVerifiableOfProject } from "./urls.ts";

/**
 * Adds a URL to those that every cycle looks at. Returns its id.
 * Throws `project_not_found`, `owner_only`, `url_refused`, `url_watched_already`.
 */
export async function watchUrl(
  deps: Deps,
  actor: Manager,
  projectId: string,
  url: string,
): Promise<string> {
  await requireVerifiableOfProject(deps, actor, projectId, url);
  return changeProject(deps, actor, "change", projectId, async (sql) => {
    const id = await insertWatchedUrl(sql, projectId, url);
    if (id === undefined) throw new AppError("url_watched_already", { projectId });
    return id;
  });
}

/**
 * Removes a URL from those that every cycle looks at, and closes its incident. Returns its id.
 * Throws `project_not_found`, `owner_only`, `url_not_watched`; the last also for the project's address, which stays watched.
 */
export function unwatchUrl(
  deps: Deps,
  actor: Manager,
  projectId: string,
  url: string,
): Promise<string> {
  return changeProject(deps, actor, "change", projectId, async (sql) => {
    const id = await deleteWatchedUrl(sql, projectId, url);
    if (id === undefined) throw new AppError("url_not_watched", { projectId });
    await updateProjectState(sql, projectId);
    return id;
  });
}
