import * as z from "zod";
import { MAX_NAME_LENGTH } from "../access/name.ts";
import { AppError } from "../base/errors.ts";
import { fault } from "../base/input-faults.ts";
import type { Manager } from "../db/accounts/actors.ts";
import { insertEvent } from "../db/accounts/events.ts";
import {
  deleteStatusPage,
  findStatusSettings,
  MAX_SHOWN_URLS,
  replaceStatusPage,
  updateShownUrls,
} from "../db/projects/status-pages.ts";
import { listWatchedUrls } from "../db/watching/watched-urls.ts";
import type { Sql } from "../db/driver/sql.ts";
import type { Deps } from "../deps.ts";
import { changeProject, type SharedTransaction } from "./rights.ts";

const LABEL = /^.{1,60}$/u;

/** Omitted fields do not change. `show` lists URLs with their labels, as `URL=LABEL`. */
export const StatusPageEdit = z.object({
  name: z.string().regex(/^[a-z0-9-]{3,40}$/, fault("status_name_invalid")),
  title: z
    .string()
    .trim()
    .regex(new RegExp(`^\\P{Cc}{0,${MAX_NAME_LENGTH}}$`, "u"), fault("status_title_invalid"))
    .optional(),
  show: z
    .array(
      z
        .string()
        .trim()
        .regex(/^[^=]+=\P{Cc}+$/u, fault("status_url_invalid")),
    )
    .default([]),
  hide: z.array(z.string().trim()).default([]),
  addresses: z.boolean().optional(),
  score: z.boolean().optional(),
  index: z.boolean().optional(),
});
export type StatusPageEdit = z.infer<typeof StatusPageEdit>;

export const pathOfStatusPage = (name: string): string => `/status/${name}`;

/** The URL may contain `=` too. */
function readShown(projectId: string, watched: readonly string[], text: string): [string, string] {
  const isNamed = (url: string) => text.startsWith(url) && /^\s*=/.test(text.slice(url.length));
  const url = watched.filter(isNamed).toSorted((one, other) => other.length - one.length)[0];
  if (url === undefined) throw new AppError("status_url_not_watched", { projectId, url: text });
  const label = text.slice(text.indexOf("=", url.length) + 1).trim();
  if (!LABEL.test(label))
    throw new AppError("input_invalid", { fault: "status_url_invalid", value: text });
  return [url, label];
}

/**
 * `isWhole` removes the shown URLs that are not in `show`. Throws `project_not_found`, `owner_only`, `input_invalid`, `status_name_taken`,
 * `status_url_not_watched`, `too_many_shown_urls`.
 */
export const editStatusPage = (
  deps: Deps,
  actor: Manager,
  projectId: string,
  { name, title, show, hide, ...choice }: StatusPageEdit,
  isWhole = false,
  shared?: SharedTransaction,
) => {
  const change = async (sql: Sql) => {
    const { page, urls = [] } = (await findStatusSettings(sql, projectId)) ?? {};
    const watched = await listWatchedUrls(sql, projectId);
    const labels = new Map(isWhole ? [] : urls.map(({ url, label }) => [url, label]));
    for (const text of show) labels.set(...readShown(projectId, watched, text));
    for (const url of hide) {
      if (!watched.includes(url)) throw new AppError("status_url_not_watched", { projectId, url });
      labels.delete(url);
    }
    if (labels.size > MAX_SHOWN_URLS)
      throw new AppError("too_many_shown_urls", { limit: MAX_SHOWN_URLS });
    await updateShownUrls(sql, projectId, labels);
    const isReplaced = await replaceStatusPage(sql, projectId, {
      name,
      title: title === undefined ? (page?.title ?? null) : title || null,
      addresses: choice.addresses ?? page?.addresses ?? false,
      score: choice.score ?? page?.score ?? false,
      index: choice.index ?? page?.index ?? false,
    });
    if (!isReplaced) throw new AppError("status_name_taken", { name });
    await insertEvent(sql, actor, { action: "project.status_page_edited", projectId });
  };
  return changeProject(deps, actor, "change", projectId, change, shared).finally(() =>
    deps.statusPages.forget(name),
  );
};

/** Frees the page's name, but keeps the labels of the URLs. Throws `project_not_found`, `owner_only`. */
export const removeStatusPage = (
  deps: Deps,
  actor: Manager,
  projectId: string,
  shared?: SharedTransaction,
) => {
  const remove = async (sql: Sql) => {
    await deleteStatusPage(sql, projectId);
    await insertEvent(sql, actor, { action: "project.status_page_off", projectId });
  };
  return changeProject(deps, actor, "change", projectId, remove, shared);
};
