import type { Manager } from "../db/accounts/actors.ts";
import { insertEvent } from "../db/accounts/events.ts";
import { updateProjectState } from "../db/projects/projects.ts";
import type { AddedUrl, OneUrl } from "../db/watching/watched-urls.ts";
import {
  countWatchedUrls,
  deleteWatchedUrl,
  insertWatchedUrls,
  isUrlOf,
  listWatchedUrls,
  setPaused,
} from "../db/watching/watched-urls.ts";
import { lockAccount } from "../db/accounts/tokens.ts";
import type { Sql } from "../db/driver/sql.ts";
import { lockActorsProject } from "../db/projects/roles.ts";
import type { Deps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { changeProject, requireRight, requireRightTo, type SharedTransaction } from "./rights.ts";
import { refuseUnverifiable } from "./urls.ts";

/** The limit per project, including the project's own URL. */
export const MAX_WATCHED_URLS = 1000;
/** The limit per account, across all its projects. */
export const MAX_ACCOUNT_URLS = 5000;

/** `error` is `url_refused`, `url_not_vetted`, `too_many_urls` or `too_many_account_urls`. */
export interface RefusedUrl {
  url: string;
  error: AppError;
}

/** Both lists have the order of the request. URLs that were already watched are in neither. */
export interface WatchedMany {
  added: AddedUrl[];
  refused: RefusedUrl[];
}

/** Throws `project_not_found`, `owner_only`, `too_often`. */
export async function watchUrls(
  deps: Deps,
  actor: Manager,
  projectId: string,
  urls: readonly string[],
  shared?: SharedTransaction,
): Promise<WatchedMany> {
  const { sql } = shared ?? deps.database;
  const { ownerId } = await requireRightTo(sql, actor, "change", projectId);
  const watched = new Set(await listWatchedUrls(sql, projectId));
  const wanted = [...new Set(urls.map((url) => url.trim()))].filter(
    (url) => url !== "" && !watched.has(url),
  );
  const ownersRoom = MAX_ACCOUNT_URLS - (await countWatchedUrls(sql, ownerId));
  const room = Math.max(0, Math.min(MAX_WATCHED_URLS - watched.size, ownersRoom));
  const [tried, beyond] = [wanted.slice(0, room), wanted.slice(room)];
  const errors = shared
    ? new Map<string, AppError>()
    : await refuseUnverifiable(deps, actor, tried);
  const accepted = tried.filter((url) => !errors.has(url));
  const { added, left } = await addUrls(deps, actor, { projectId, ownerId }, accepted, shared);
  const isFull = watched.size + added.length >= MAX_WATCHED_URLS;
  for (const url of [...left, ...beyond])
    errors.set(
      url,
      isFull ? new AppError("too_many_urls", { projectId, limit: MAX_WATCHED_URLS }) : tooMany(),
    );
  const refused = wanted.flatMap((url) => {
    const error = errors.get(url);
    return error === undefined ? [] : [{ url, error }];
  });
  return { added, refused };
}

const tooMany = () => new AppError("too_many_account_urls", { limit: MAX_ACCOUNT_URLS });

/** Throws `too_many_account_urls`. Needs a lock on the account: otherwise, parallel requests could exceed the limit. */
export async function requireRoomForUrls(sql: Sql, accountId: string, more: number): Promise<void> {
  if ((await countWatchedUrls(sql, accountId)) + more > MAX_ACCOUNT_URLS) throw tooMany();
}

/** Starts again if the project got a new owner in the meantime. */
async function addUrls(
  deps: Deps,
  actor: Manager,
  { projectId, ownerId }: { projectId: string; ownerId: string },
  urls: readonly string[],
  shared?: SharedTransaction,
): Promise<{ added: AddedUrl[]; left: string[] }> {
  const add = async (sql: Sql) => {
    await lockAccount(sql, ownerId);
    const project = await lockActorsProject(sql, actor, projectId);
    const { ownerId: owner } = requireRight(project, "change", { projectId });
    if (owner !== ownerId) return owner;
    const room = MAX_ACCOUNT_URLS - (await countWatchedUrls(sql, ownerId));
    const result = await insertWatchedUrls(sql, projectId, urls, { limit: MAX_WATCHED_URLS, room });
    const details = { count: result.added.length };
    if (details.count > 0)
      await insertEvent(sql, actor, { action: "url.watched", projectId, details });
    return result;
  };
  const done = await (shared ? add(shared.sql) : deps.database.begin(add));
  if (typeof done !== "string") return done;
  return addUrls(deps, actor, { projectId, ownerId: done }, urls, shared);
}

/**
 * Throws `project_not_found`, `owner_only`, `url_refused`, `url_not_vetted`, `url_watched_already`, `too_many_urls`,
 * `too_many_account_urls`.
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

/** Closes the URL's incident. Throws `project_not_found`, `owner_only`, and `url_not_watched`, also for the project's own URL. */
export function unwatchUrl(
  deps: Deps,
  actor: Manager,
  projectId: string,
  which: OneUrl,
  shared?: SharedTransaction,
): Promise<string> {
  const remove = async (sql: Sql) => {
    const id = await deleteWatchedUrl(sql, isUrlOf(projectId, which));
    if (id === undefined) throw new AppError("url_not_watched", { projectId });
    await updateProjectState(sql, projectId);
    await insertEvent(sql, actor, { action: "url.unwatched", projectId });
    return id;
  };
  return changeProject(deps, actor, "change", projectId, remove, shared);
}

/** A pause closes the URL's incident without a message. Throws `project_not_found`, `owner_only`, `url_not_watched`. */
export const pauseUrl = (
  deps: Deps,
  actor: Manager,
  projectId: string,
  which: OneUrl,
  isPaused: boolean,
) =>
  changeProject(deps, actor, "change", projectId, async (sql) => {
    const watched = await setPaused(sql, projectId, which, isPaused);
    if (watched === undefined) throw new AppError("url_not_watched", { projectId });
    await updateProjectState(sql, projectId);
    const action = isPaused ? "url.paused" : "url.resumed";
    await insertEvent(sql, actor, { action, projectId });
    return watched.id;
  });
