import { createHash } from "node:crypto";
import { SCAN_BOUNDS } from "../base/bounds.ts";
import { newUnlistedId, randomBase62 } from "../db/id.ts";
import { insertScan, type ReusableScan, type StartOutcome } from "../db/scans/scans.ts";
import type { Deps } from "../deps.ts";
import { AppError, isAppError, refuseUrl } from "../base/errors.ts";
import { findName } from "../engine/net/guard.ts";
import { readSite, type Site } from "../engine/net/site.ts";
import { redactUrl } from "../engine/requests/privacy/redact.ts";
import type { Semaphore } from "../checks/semaphore.ts";
import { MAX_WAIT_MS } from "../checks/verify.ts";
import { askOwner } from "./owners.ts";
import { makeChallenge, redeemProof, type Proof } from "./proof.ts";
import type { ScanRefusal } from "./refusals.ts";
import { NAMES_AN_HOUR } from "./scan-state.ts";
import { hashVisitor } from "./salt.ts";
import { hashKey } from "./scans.ts";

/** What a visitor asks for. */
export interface AskedScan {
  url: string;
  /** True: a new scan, even if there is one of the page that is less than 10 minutes old. */
  again: boolean;
  proof?: Proof | undefined;
  /** True: where a proof is needed, the visitor can do its work, and does not wait behind those who have. */
  isScripted: boolean;
}

export interface StartedScan {
  id: string;
  /** Masked. */
  url: string;
  /** With it the scan can be deleted; null for a scan that somebody may have started before. */
  deleteKey: string | null;
  isReused: boolean;
}

/** An asked scan whose URL may be one. */
interface Page extends AskedScan {
  visitor: string;
  host: string;
  urlHash: Buffer;
}

const KEY_LENGTH = 43;
/** How soon one of a visitor's scans may have ended, or a place in the queue be free; a visit takes no longer. */
const SOON_SECONDS = 10;
/** How long a refusal is repeated without asking anew: one that may end at any moment, and one that has its time. */
const MOMENT_MS = 250;
const REPEATED_MS = 10_000;

/** Hashes the exact URL without its fragment, which no site sees. */
function hashPage({ url: { origin, pathname, search } }: Site): Buffer {
  return createHash("sha256").update(`${origin}${pathname}${search}`).digest();
}

/**
 * Starts the scan of a URL for a visitor, or leads to the newest one of the same page. The order: the URL's form, a scan
 * that is there already, the bounds as far as they are known here, what the URL leads to, its owner, and the bounds.
 * Throws `url_refused`, `scan_refused_by_owner`, `scan_too_soon`, `scan_visitor_bound`, `scan_host_bound`,
 * `scan_proof_needed`, `scan_queue_full` and `busy`.
 *
 * @param visitor as `findVisitor` returns it
 */
export async function startScan(
  deps: Deps,
  asked: AskedScan,
  visitor: string,
): Promise<StartedScan> {
  const site = readSite(asked.url, "https:");
  if (typeof site === "string") throw refuseUrl({ code: site, host: null });
  const page = { ...asked, visitor, host: site.host, urlHash: hashPage(site) };
  const earlier = await deps.scanState.findReusable(page.urlHash.toString("hex"));
  if (earlier && !page.again) return reuse(earlier);
  if (earlier && earlier.againInSeconds > 0) throw tooSoon(earlier.againInSeconds);
  await vetPage(deps, page);
  return decide(deps, page);
}

const reuse = ({ id, url }: Pick<ReusableScan, "id" | "url">): StartedScan => ({
  id,
  url,
  deleteKey: null,
  isReused: true,
});

const tooSoon = (retryAfterSeconds: number) => new AppError("scan_too_soon", { retryAfterSeconds });

const keyOfVisitor = ({ visitor }: Page) => `visitor ${visitor}`;
const keyOfHost = ({ host }: Page) => `host ${host}`;
const QUEUE_KEY = "queue";
const PROOF_KEY = "proof";

async function needProof(deps: Deps) {
  return new AppError("scan_proof_needed", {
    ...(await makeChallenge(deps)),
    retryAfterSeconds: 1,
  });
}

async function throwKnownRefusal(deps: Deps, page: Page): Promise<void> {
  const keys = [keyOfVisitor(page), keyOfHost(page), QUEUE_KEY];
  if (page.isScripted && !page.proof) keys.push(PROOF_KEY);
  const refusal = deps.scanState.refusals.find(keys);
  // Each challenge is met once, so everybody gets another.
  if (isAppError(refusal, "scan_proof_needed")) throw await needProof(deps);
  if (refusal) throw refusal;
}

/** Acts when the visitor's turn comes, unless the page is refused by then. */
async function inTurn<Done>(
  deps: Deps,
  turns: Semaphore,
  page: Page,
  act: () => Promise<Done>,
): Promise<Done> {
  await throwKnownRefusal(deps, page);
  const release = await turns.acquire(page.visitor, MAX_WAIT_MS);
  try {
    await throwKnownRefusal(deps, page);
    return await act();
  } finally {
    release();
  }
}

async function vetPage(deps: Deps, page: Page): Promise<void> {
  const { vettings, questions, lookups } = deps.scanState;
  async function vet() {
    const hasName = findName(deps.networks.scans, page.url) !== undefined;
    const retryAfterSeconds = hasName ? lookups.take(page.visitor) : 0;
    const refused = { bound: "names", limit: NAMES_AN_HOUR, retryAfterSeconds } as const;
    if (retryAfterSeconds > 0) throw new AppError("scan_visitor_bound", refused);
    return deps.probe.vetScan(page.url, deps.stopping);
  }
  const vetted = await inTurn(deps, vettings, page, vet);
  try {
    if (!vetted.vetting.ok) throw refuseUrl(vetted.vetting.refusal);
    await inTurn(deps, questions, page, () => askOwner(deps, vetted, page.visitor));
  } finally {
    vetted.close();
  }
}

async function decide(deps: Deps, page: Page): Promise<StartedScan> {
  const isProven = page.proof !== undefined && (await redeemProof(deps, page.proof));
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
  const conditions = { isAgain: page.again, isProven, canProve: page.isScripted };
  const bounds = { ...SCAN_BOUNDS, atOnce: deps.config.scansAtOnce };
  return inTurn(deps, deps.scanState.starts, page, async () => {
    const outcome = await insertScan(deps.database.sql, scan, conditions, bounds);
    return conclude(deps, page, outcome, { ...scan, deleteKey });
  });
}

/** The bound that refused a scan, with the key under which its refusal is remembered. */
function findBound(
  page: Page,
  { outcome, retrySeconds }: StartOutcome,
): { key: string; refusal: ScanRefusal } | undefined {
  const { visitorHour, visitorDay, visitorAtOnce, hostHour, queue } = SCAN_BOUNDS;
  const wait = { retryAfterSeconds: retrySeconds ?? SOON_SECONDS };
  const ofVisitor = (bound: "hour" | "day" | "at_once", limit: number) => ({
    key: keyOfVisitor(page),
    refusal: new AppError("scan_visitor_bound", { bound, limit, ...wait }),
  });
  const { host } = page;
  switch (outcome) {
    case "visitor_hour":
      return ofVisitor("hour", visitorHour);
    case "visitor_day":
      return ofVisitor("day", visitorDay);
    case "visitor_at_once":
      return ofVisitor("at_once", visitorAtOnce);
    case "host_hour": {
      const refusal = new AppError("scan_host_bound", { host, limit: hostHour, ...wait });
      return { key: keyOfHost(page), refusal };
    }
    case "queue_full":
      return {
        key: QUEUE_KEY,
        refusal: new AppError("scan_queue_full", { limit: queue, ...wait }),
      };
    default:
      return undefined;
  }
}

async function conclude(
  deps: Deps,
  page: Page,
  started: StartOutcome,
  scan: { id: string; maskedUrl: string; deleteKey: string },
): Promise<StartedScan> {
  const { outcome, foundId, foundUrl, retrySeconds } = started;
  const bound = findBound(page, started);
  if (bound) {
    const lastsMs = retrySeconds === null ? MOMENT_MS : Math.min(REPEATED_MS, retrySeconds * 1000);
    deps.scanState.refusals.remember(bound.key, bound.refusal, lastsMs);
    throw bound.refusal;
  }
  if (outcome === "too_soon") throw tooSoon(retrySeconds ?? 1);
  if (outcome === "proof_needed") {
    const refusal = await needProof(deps);
    deps.scanState.refusals.remember(PROOF_KEY, refusal, MOMENT_MS);
    throw refusal;
  }
  if (outcome === "reused") return reuse({ id: foundId ?? "", url: foundUrl ?? "" });
  deps.scanState.news.emit("waiting");
  return { id: scan.id, url: scan.maskedUrl, deleteKey: scan.deleteKey, isReused: false };
}
