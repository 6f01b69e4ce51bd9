import { createHash } from "node:crypto";
import { OWNER_TIMEOUT_MS, SCAN_BOUNDS } from "../base/bounds.ts";
import { newUnlistedId, randomBase62 } from "../db/id.ts";
import {
  findNewestScan,
  findRobotsPermission,
  insertScan,
  saveRobotsPermission,
  type StartOutcome,
} from "../db/scans/scans.ts";
import type { Deps } from "../deps.ts";
import { AppError, createRefusal } from "../base/errors.ts";
import { networkOf } from "../base/syntax/private-hosts.ts";
import { findLookupName } from "../engine/net/guard.ts";
import { readSite, type Site } from "../engine/net/site.ts";
import type { VettedUrl } from "../engine/net/vet.ts";
import { redactUrl } from "../engine/requests/privacy/redact.ts";
import { Interrupted } from "../engine/visit/threads.ts";
import { MAX_WAIT_MS } from "../checks/verify.ts";
import { NAMES_AN_HOUR, OWNERS_AN_HOUR } from "./scan-state.ts";
import { hashVisitor } from "./salt.ts";
import { hashKey } from "./scans.ts";

export interface ScanOrder {
  url: string;
  /** True to start a new scan even if the page has one that is less than 10 minutes old. */
  again: boolean;
}

export interface StartedScan {
  id: string;
  /** The masked URL. */
  url: string;
  /** Allows deleting the scan; null for an existing scan, which another visitor may have started. */
  deleteKey: string | null;
  isReused: boolean;
}

interface Page extends ScanOrder {
  visitor: string;
  host: string;
  urlHash: Buffer;
}

const KEY_LENGTH = 43;
/** No visit takes longer, so after this time a scan of the visitor may have ended or the queue may have room. */
const SOON_SECONDS = 10;
/** The thread may have to start first, which takes seconds on a busy machine. */
const LATENESS_MS = 7000;
const DAY_SECONDS = 86_400;
/** The delay before an unreadable robots.txt is requested again. */
const FAILED_SECONDS = 300;

/** Leaves out the fragment, which no site receives. */
function hashPage({ url: { origin, pathname, search } }: Site): Buffer {
  return createHash("sha256").update(`${origin}${pathname}${search}`).digest();
}

/**
 * Checks in this order: the URL's form, an earlier scan, where the URL leads, its robots.txt, the limits. Throws
 * `url_refused`, `scan_refused_by_owner`, `scan_too_soon`, `scan_visitor_bound`, `scan_host_bound`, `scan_queue_full`
 * and `busy`. `visitor` is as `findVisitor` returns it.
 */
export async function startScan(
  deps: Deps,
  asked: ScanOrder,
  visitor: string,
): Promise<StartedScan> {
  const site = readSite(asked.url, "https:");
  if (typeof site === "string") throw createRefusal({ code: site, host: null });
  const page = { ...asked, visitor, host: site.host, urlHash: hashPage(site) };
  const earlier = await findNewestScan(deps.database.sql, page.urlHash, SCAN_BOUNDS);
  if (earlier && !page.again) return reuse(earlier);
  if (earlier && earlier.againInSeconds > 0) throw tooSoon(earlier.againInSeconds);
  const network = networkOf(visitor);
  const release = await deps.semaphores.scans.acquire(network, MAX_WAIT_MS, { isStranger: true });
  try {
    await vetPage(deps, page);
    return await insertPage(deps, page);
  } finally {
    release();
  }
}

const reuse = ({ id, url }: Pick<StartedScan, "id" | "url">): StartedScan => ({
  id,
  url,
  deleteKey: null,
  isReused: true,
});

const tooSoon = (retryAfterSeconds: number) => new AppError("scan_too_soon", { retryAfterSeconds });

async function vetPage(deps: Deps, page: Page): Promise<void> {
  const hasName = findLookupName(deps.networks.scans, page.url) !== undefined;
  const retryAfterSeconds = hasName ? deps.scanState.lookups.take(page.visitor) : 0;
  const refused = { bound: "names", limit: NAMES_AN_HOUR, retryAfterSeconds } as const;
  if (retryAfterSeconds > 0) throw new AppError("scan_visitor_bound", refused);
  const vetted = await deps.probe.vetScan(page.url, deps.stopping);
  try {
    if (!vetted.vetting.ok) throw createRefusal(vetted.vetting.refusal);
    await requireOwnerPermission(deps, vetted, page.visitor);
  } finally {
    vetted.close();
  }
}

type OwnerDeps = Pick<Deps, "database" | "threads" | "scanState" | "stopping" | "log">;

/** Resolves to false if the file cannot be read. */
async function fetchRobots(
  deps: OwnerDeps,
  { known }: VettedUrl,
  origin: string,
): Promise<boolean> {
  const task = { kind: "owner", order: { robotsOf: `${origin}/` }, known } as const;
  const options = { owner: origin, maxMs: OWNER_TIMEOUT_MS + LATENESS_MS, signal: deps.stopping };
  const { refuses, isFinal } = await deps.threads.run(task, options).then(
    ({ result }) => result,
    (error: unknown) => {
      if (!(error instanceof Interrupted)) throw error;
      deps.log.error({ err: error, origin }, "robots.txt not read");
      return { refuses: false, isFinal: false };
    },
  );
  const seconds = isFinal ? DAY_SECONDS : FAILED_SECONDS;
  await saveRobotsPermission(deps.database.sql, origin, refuses, seconds);
  return refuses;
}

/** Sends one request per origin for all scans that wait. Throws `scan_visitor_bound`. */
function fetchRobotsOnce(deps: OwnerDeps, vetted: VettedUrl, origin: string, visitor: string) {
  const { owners, allowance } = deps.scanState;
  const asked = owners.get(origin);
  if (asked) return asked;
  const retryAfterSeconds = allowance.take(visitor);
  if (retryAfterSeconds > 0) {
    const limit = OWNERS_AN_HOUR;
    throw new AppError("scan_visitor_bound", { bound: "owners", limit, retryAfterSeconds });
  }
  const asking = fetchRobots(deps, vetted, origin).finally(() => owners.delete(origin));
  owners.set(origin, asking);
  return asking;
}

/**
 * A robots.txt refuses scans if a group that names shipscore refuses everything. All servers together request it once a
 * day, or after 5 minutes if it could not be read. Throws `scan_refused_by_owner` and `scan_visitor_bound`.
 */
export async function requireOwnerPermission(
  deps: OwnerDeps,
  vetted: VettedUrl,
  visitor: string,
): Promise<void> {
  if (!vetted.vetting.ok) return;
  const { host, url } = vetted.vetting.target;
  const stored = await findRobotsPermission(deps.database.sql, url.origin);
  if (stored?.refuses ?? (await fetchRobotsOnce(deps, vetted, url.origin, visitor)))
    throw new AppError("scan_refused_by_owner", { host, file: `${url.origin}/robots.txt` });
}

async function insertPage(deps: Deps, page: Page): Promise<StartedScan> {
  const visitor = await hashVisitor(deps, page.visitor);
  const deleteKey = randomBase62(KEY_LENGTH);
  const { url, host, urlHash } = page;
  const scan = {
    id: newUnlistedId(),
    url,
    maskedUrl: redactUrl(url),
    urlHash,
    host,
    visitor,
    deleteKeyHash: hashKey(deleteKey),
  };
  const started = await insertScan(deps.database.sql, scan, page.again, SCAN_BOUNDS);
  const refusal = findRefusal(page, started);
  if (refusal) throw refusal;
  if (started.outcome === "reused")
    return reuse({ id: started.foundId ?? "", url: started.foundUrl ?? "" });
  deps.news.emit("waiting");
  return { id: scan.id, url: scan.maskedUrl, deleteKey, isReused: false };
}

function findRefusal(
  { host }: Page,
  { outcome, retrySeconds }: StartOutcome,
): AppError | undefined {
  const { visitorHour, visitorDay, visitorAtOnce, hostHour, queue } = SCAN_BOUNDS;
  const wait = { retryAfterSeconds: retrySeconds ?? SOON_SECONDS };
  const ofVisitor = (bound: "hour" | "day" | "at_once", limit: number) =>
    new AppError("scan_visitor_bound", { bound, limit, ...wait });
  switch (outcome) {
    case "too_soon":
      return tooSoon(retrySeconds ?? 1);
    case "visitor_hour":
      return ofVisitor("hour", visitorHour);
    case "visitor_day":
      return ofVisitor("day", visitorDay);
    case "visitor_at_once":
      return ofVisitor("at_once", visitorAtOnce);
    case "host_hour":
      return new AppError("scan_host_bound", { host, limit: hostHour, ...wait });
    case "queue_full":
      return new AppError("scan_queue_full", { limit: queue, ...wait });
    default:
      return undefined;
  }
}
