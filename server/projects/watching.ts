import type { Manager } from "../db/accounts/actors.ts";
import { insertEvent } from "../db/accounts/events.ts";
import { updateProjectState } from "../db/projects/projects.ts";
import type { AddedUrl, OneUrl } from "../db/watching/watched-urls.ts";
import {
  deleteWatchedUrl,
  insertWatchedUrls,
  listWatchedUrls,
} from "../db/watching/watched-urls.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { changeProject, requireRightTo } from "./rights.ts";
import { refuseUnverifiable } from "./urls.ts";

/** Its address included. */
export const MAX_WATCHED_URLS = 1000;

/** A URL that was not added, and why: `url_refused`, `url_not_vetted`, `too_many_urls`. */
export interface RefusedUrl {
  url: string;
  error: AppError;
}

/** The URLs that were added and those that were refused, in their order; URLs watched already are in neither list. */
export interface WatchedMany {
  added: AddedUrl[];
  refused: RefusedUrl[];
}

/**
 * Adds URLs to those that every cycle looks at, up to 1,000 in all. What is watched already stays so.
 * Throws `project_not_found`, `owner_only`.
 */
export async function watchUrls(
  deps: Deps,
  actor: Manager,
  projectId: string,
  urls: readonly string[],
): Promise<WatchedMany> {
  const { sql } = deps.database;
  await requireRightTo(sql, actor, "change", projectId);
  const watched = new Set(await listWatchedUrls(sql, projectId));
  const wanted = [...new Set(urls.map((url) => url.trim()))].filter(
    (url) => url !== "" && !watched.has(url),
  );
  const room = Math.max(0, MAX_WATCHED_URLS - watched.size);
  const [tried, beyond] = [wanted.slice(0, room), wanted.slice(room)];
  const errors = await refuseUnverifiable(deps, actor, tried);
  const accepted = tried.filter((url) => !errors.has(url));
  const { added, left } = await addUrls(deps, actor, projectId, accepted);
  for (const url of [...left, ...beyond])
    errors.set(url, new AppError("too_many_urls", { projectId, limit: MAX_WATCHED_URLS }));
  const refused = wanted.flatMap((url) => {
    const error = errors.get(url);
    return error === undefined ? [] : [{ url, error }];
  });
  return { added, refused };
}

/** Adds those for which there is still room. */
function addUrls(deps: Deps, actor: Manager, projectId: string, urls: readonly string[]) {
  return changeProject(deps, actor, "change", projectId, async (sql) => {
    const result = await insertWatchedUrls(sql, projectId, urls, MAX_WATCHED_URLS);
    const details = { count: result.added.length };
    if (details.count > 0)
      await insertEvent(sql, actor, { action: "url.watched", projectId, details });
    return result;
  });
}

/**
 * Adds a URL to those that every cycle looks at. Returns its id. Throws `project_not_found`, `owner_only`, `url_refused`,
 * `url_not_vetted`, `url_watched_already`, `too_many_urls`.
 */
export async function watchUrl(
  deps: Deps,
  actor: Manager,
  projectId: string,
  url: string,
): Promise<string> {
  const { added, refused } = await watchUrls(deps, actor, projectId, [url]);
  if (refused[0] !== undefined) throw refused[0].error;
  if (added[0] === undefined) throw new AppError("url_watched_already", { projectId });
  return added[0].id;
}

/**
 * Removes a URL from those that every cycle looks at, and closes its incident. Returns its id.
 * Throws `project_not_found`, `owner_only`, `url_not_watched`; the last also for the project's address, which stays watched.
 */
export function unwatchUrl(
  deps: Deps,
  actor: Manager,
  projectId: string,
  which: OneUrl,
): Promise<string> {
  return changeProject(deps, actor, "change", projectId, async (sql) => {
    const id = await deleteWatchedUrl(sql, projectId, which);
    if (id === undefined) throw new AppError("url_not_watched", { projectId });
    await updateProjectState(sql, projectId);
    await insertEvent(sql, actor, { action: "url.unwatched", projectId });
    return id;
  });
}
