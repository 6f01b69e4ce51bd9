/** How many checks may visit a host: at the same time, and per minute. */
interface Bound {
  atOnce: number;
  aMinute: number;
}

/** Limits for one host across all servers: per account, and for all scans as for an account; and for all together. */
export interface HostBounds {
  account: Bound;
  all: Bound;
}

export const HOST_BOUNDS: Readonly<HostBounds> = {
  account: { atOnce: 4, aMinute: 60 },
  all: { atOnce: 8, aMinute: 240 },
};

/** How long work is left to the server that has it; once its lease is over, another may take it up. */
export interface Leases {
  /** The lease of a running check, renewed when the check is admitted to its host. */
  checkMs: number;
  /** The lease of claimed looks, deployments, alerts and scans. */
  claimMs: number;
}

export const LEASES: Readonly<Leases> = { checkMs: 20_000, claimMs: 30_000 };

/** How many scans one visitor may start, and all visitors of one host; how many of a visitor's, and of all, may wait. */
export interface ScanBounds {
  visitorHour: number;
  visitorDay: number;
  hostHour: number;
  visitorAtOnce: number;
  queue: number;
  /** For how long a page's newest scan is shown to whoever asks for another. */
  reuseSeconds: number;
  /** How soon the same page may be scanned again. */
  againSeconds: number;
}

export const SCAN_BOUNDS: Readonly<ScanBounds> = {
  visitorHour: 10,
  visitorDay: 30,
  hostHour: 20,
  visitorAtOnce: 4,
  queue: 100,
  reuseSeconds: 600,
  againSeconds: 60,
};

/** How long a scan is kept, and the key with which its browser may delete it. */
export const SCANS_KEPT_DAYS = 30;

/** How many scans a server begins to run while it runs a check of an account, which so has the processor to itself. */
export const SCANS_BESIDE_CHECKS = 1;

/** How many deployments a server verifies at the same time: of all accounts, of one that is alone, and of one project. */
export const DEPLOYMENTS_AT_ONCE = { total: 32, ofAccount: 24, ofProject: 4 };

/** For how long a deployment's page may answer as one that is not there yet, and when it is visited again. */
export const DEPLOYMENT_APPEARS = { withinMs: 120_000, againMs: 5000 };

/** How many watched URLs a server verifies at the same time, and a round beside it. */
export const VERIFICATIONS_AT_ONCE = 8;

/** Most requests that one check sends to a site, redirects and handshakes included. */
export const MAX_REQUESTS = 45;
/** The most of a page that is read, decoded. */
export const MAX_PAGE_BYTES = 1_572_864;
/** The most of one of its files that is read, decoded. */
export const MAX_FILE_BYTES = 524_288;
/** The most of the page and its files together. */
export const MAX_READ_BYTES = 2_621_440;
/** How many of these may be for files that the page loads. */
export const MAX_ASSETS = 12;
/** How many of these may be for links from the page to its own host. */
export const MAX_LINKS = 8;
/** How many redirects are followed from the page, and from its address over http and as its twin. */
export const MAX_REDIRECTS = 5;
/** The most requests of such a redirect chain. */
export const CHAIN_REQUESTS = 1 + MAX_REDIRECTS;
/** The most requests for the page itself, of which one may be tried twice. */
export const PAGE_REQUESTS = CHAIN_REQUESTS + 1;
/** The most requests for robots.txt: two redirects are followed (RFC 9309, 2.3.1.2). */
export const ROBOTS_REQUESTS = 3;
/** The most requests for a path that does not exist: a slash at its end and a language may be added by redirects. */
export const NOT_FOUND_REQUESTS = 3;
/** How long the robots.txt of an origin may take before a public scan. */
export const OWNER_TIMEOUT_MS = 3000;
/** The time for a site's sitemaps, when URLs are imported from them. */
export const SITEMAP_TIMEOUT_MS = 10_000;
/** How many files an import reads of a site's sitemaps, and how many redirects it follows from each. */
export const SITEMAP_FILES = 8;
export const SITEMAP_REDIRECTS = 3;
/** The most host names that an import looks up: files of an index are on its own host. */
export const SITEMAP_NAMES = 1 + SITEMAP_FILES * SITEMAP_REDIRECTS;
/** Time from a check's first request to its last. */
export const CHECK_TIMEOUT_MS = 8000;
/** How long one request may take, its connection included. */
export const REQUEST_TIMEOUT_MS = 4000;
/** How many connections a check has to one host at the same time. */
export const MAX_CONNECTIONS = 6;

/** A session ends `idleDays` after its last use, and `maxDays` after its beginning. */
export const SESSION_LIFE = { idleDays: 14, maxDays: 90 } as const;
