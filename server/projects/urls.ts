import { setImmediate as nextTurn } from "node:timers/promises";
import type { Recorder } from "../db/accounts/actors.ts";
import { findActorsProject } from "../db/projects/roles.ts";
import type { Deps, VisitDeps } from "../deps.ts";
import { AppError, isAppError, isTemporary, createRefusal } from "../base/errors.ts";
import { bareHost, findUrl, MAX_URL_LENGTH } from "../base/syntax/url.ts";
import { returnLookups, takeLookups } from "../checks/lookups.ts";
import { findLookupName } from "../engine/net/guard.ts";
import { requireRight } from "./rights.ts";

const MAX_WAIT_MS = 5000;
/** The time limit for all URLs of one request. */
const MANY_MS = 10_000;
/** How many URLs are vetted in parallel: half of an account's permits. */
const MANY_AT_ONCE = 4;
/** Parsing this many URLs of the maximum length takes up to 5 ms. */
const URLS_A_TURN = 50;

type KnownNames = Parameters<Deps["probe"]["vet"]>[2];

const isTooLong = (url: string) => (findUrl(url)?.href ?? "").length > MAX_URL_LENGTH;

/** Returns the URL's DNS answers. Throws `url_refused`, `busy`. */
async function vetInTurn(
  { probe, stopping, semaphores }: Deps,
  { accountId, by }: Recorder,
  url: string,
  { maxWaitMs, known }: { maxWaitMs: number; known?: KnownNames },
): Promise<KnownNames> {
  if (isTooLong(url)) throw createRefusal({ code: "too_long", host: null });
  const release = await semaphores.checks.acquire(accountId ?? by, maxWaitMs);
  try {
    const visit = await probe.vet(url, stopping, known);
    visit.close();
    const { vetting } = visit;
    if (!vetting.ok && !isTemporary(vetting.refusal.code)) throw createRefusal(vetting.refusal);
    return visit.known;
  } finally {
    release();
  }
}

async function countNames({ networks }: VisitDeps, urls: readonly string[]): Promise<number> {
  const names = new Set<string>();
  for (const [index, url] of urls.entries()) {
    const name = isTooLong(url) ? undefined : findLookupName(networks.checks, url);
    if (name !== undefined) names.add(name);
    if (index % URLS_A_TURN === URLS_A_TURN - 1) await nextTurn();
  }
  return names.size;
}

/** Throws `url_refused` for a URL that no check would ever visit, `too_often` and `busy`. */
export async function requireVerifiable(deps: Deps, actor: Recorder, url: string): Promise<void> {
  await takeLookups(deps, actor, await countNames(deps, [url]));
  await vetInTurn(deps, actor, url, { maxWaitMs: MAX_WAIT_MS });
}

/**
 * Checks the actor's right before it vets the URL, so that strangers cannot use other people's projects to vet URLs. The
 * statement that changes the project must check the right again, since vetting takes time. Throws `project_not_found`,
 * `owner_only`, `url_refused`, `too_often`, `busy`.
 */
export async function requireVerifiableOfProject(
  deps: Deps,
  actor: Recorder,
  projectId: string,
  url: string,
): Promise<void> {
  const project = await findActorsProject(deps.database.sql, actor, projectId);
  requireRight(project, "change", { projectId });
  await requireVerifiable(deps, actor, url);
}

async function groupByHost(urls: readonly string[]): Promise<string[][]> {
  const groups = new Map<string, string[]>();
  for (const [index, url] of urls.entries()) {
    const host = bareHost(findUrl(url)?.hostname ?? "");
    const group = groups.get(host);
    if (group === undefined) groups.set(host, [url]);
    else group.push(url);
    if (index % URLS_A_TURN === URLS_A_TURN - 1) await nextTurn();
  }
  return [...groups.values()];
}

/**
 * Vets many URLs with one DNS lookup per name. Starts no lookup after 10 s. Returns `url_refused` for URLs that no check would ever visit,
 * and `url_not_vetted` for URLs that were not reached in time. Throws `too_often` before any lookup.
 */
export async function refuseUnverifiable(
  deps: Deps,
  actor: Recorder,
  urls: readonly string[],
  withinMs = MANY_MS,
): Promise<Map<string, AppError>> {
  const names = await countNames(deps, urls);
  await takeLookups(deps, actor, names);
  const groups = (await groupByHost(urls)).values();
  const deadline = performance.now() + withinMs;
  const errors = new Map<string, AppError>();

  async function vetNext(url: string, known: KnownNames): Promise<KnownNames> {
    const maxWaitMs = deadline - performance.now();
    try {
      if (maxWaitMs <= 0) throw new AppError("busy", {});
      return await vetInTurn(deps, actor, url, { maxWaitMs, known });
    } catch (error) {
      if (isAppError(error, "busy")) errors.set(url, new AppError("url_not_vetted", {}));
      else if (isAppError(error, "url_refused")) errors.set(url, error);
      else throw error;
      return known;
    }
  }

  async function vetGroups(): Promise<void> {
    for (const group of groups) {
      let known: KnownNames;
      for (const url of group) {
        known = await vetNext(url, known);
        await nextTurn();
      }
    }
  }

  await Promise.all(Array.from({ length: MANY_AT_ONCE }, vetGroups));
  const vetted = urls.filter((url) => !isAppError(errors.get(url), "url_not_vetted"));
  await returnLookups(deps, actor, names - (await countNames(deps, vetted)));
  return errors;
}
