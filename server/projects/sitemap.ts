import { setImmediate as nextTurn } from "node:timers/promises";
import type { SessionActor } from "../db/accounts/actors.ts";
import { takeOrRefuse, type Bound } from "../db/checks/buckets.ts";
import { listWatchedUrls } from "../db/watching/watched-urls.ts";
import type { Deps } from "../deps.ts";
import { returnLookups, takeLookups } from "../checks/lookups.ts";
import { Interrupted } from "../engine/visit/threads.ts";
import type { Results } from "../engine/visit/visits.ts";
import { SITEMAP_NAMES, SITEMAP_TIMEOUT_MS } from "../base/bounds.ts";
import { createRefusal } from "../base/errors.ts";
import { findUrl } from "../base/syntax/url.ts";
import { requireRightTo } from "./rights.ts";

const SITEMAPS: Bound = { name: "sitemaps of an account", capacity: 20, seconds: 3600 };
/** How long a URL waits for the account's other URLs. */
const MAX_WAIT_MS = 5000;
/** A new thread takes seconds to start on a busy machine. */
const LATENESS_MS = 7000;

export const sitemapOf = (url: string): string => findUrl("/sitemap.xml", findUrl(url))?.href ?? "";

/**
 * `pages` are URLs of the project's host that are not watched yet. `watched` and `elsewhere` count the URLs that are already watched or on
 * other hosts.
 */
export interface Sitemap {
  address: string;
  pages: string[];
  watched: number;
  elsewhere: number;
}

export type SitemapFailure = { failure: "unreachable" | "no_sitemap" } | { status: number };

/** Reads up to 1,000 URLs, with a check's limits. Throws `project_not_found`, `owner_only`, `too_often`, `busy`, `url_refused`. */
export async function readSitemap(
  deps: Deps,
  actor: SessionActor,
  projectId: string,
  typed: string,
): Promise<Sitemap | SitemapFailure> {
  const { sql } = deps.database;
  const address = typed.trim();
  const { url } = await requireRightTo(sql, actor, "change", projectId);
  await takeOrRefuse(sql, { bound: SITEMAPS, subject: actor.accountId });
  const release = await deps.semaphores.checks.acquire(actor.accountId, MAX_WAIT_MS);
  try {
    // Takes the maximum first, since the number of redirects to other hosts is not known yet.
    await takeLookups(deps, actor, SITEMAP_NAMES);
    const read = await readInThread(deps, address, actor.accountId);
    await returnLookups(deps, actor, SITEMAP_NAMES - read.names);
    if ("refusal" in read) throw createRefusal(read.refusal);
    if (!("pages" in read)) return read;
    const watched = new Set(await listWatchedUrls(sql, projectId));
    const host = findUrl(url)?.host;
    const own: string[] = [];
    for (const page of read.pages) {
      if (isPageOf(page, host)) own.push(page);
      await nextTurn();
    }
    const pages = own.filter((page) => !watched.has(page));
    const elsewhere = read.pages.length - own.length;
    return { address, pages, watched: own.length - pages.length, elsewhere };
  } finally {
    release();
  }
}

/** A sitemap that crashes its thread counts as unreachable. */
async function readInThread(
  { threads, stopping }: Deps,
  sitemapAt: string,
  owner: string,
): Promise<Results["sitemap"]> {
  const task = { kind: "sitemap", order: { sitemapAt }, known: [] } as const;
  const options = { owner, maxMs: SITEMAP_TIMEOUT_MS + LATENESS_MS, signal: stopping };
  try {
    return (await threads.run(task, options)).result;
  } catch (error) {
    if (error instanceof Interrupted) return { failure: "unreachable", names: SITEMAP_NAMES };
    throw error;
  }
}

function isPageOf(page: string, host: string | undefined): boolean {
  const url = findUrl(page);
  return url?.protocol === "https:" && url.host === host;
}
