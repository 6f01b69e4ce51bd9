/** How many checks may visit a host: at the same time, and per minute. */
interface Bound {
  atOnce: number;
  aMinute: number;
}

/** The limits for one host over all servers: per account, with all scans as one account, and in total. */
export interface HostBounds {
  account: Bound;
  all: Bound;
}

export const HOST_BOUNDS: Readonly<HostBounds> = {
  account: { atOnce: 4, aMinute: 60 },
  all: { atOnce: 8, aMinute: 240 },
};

/** How long a server keeps its claim on work. After the lease ends, another server may take over. */
export interface Leases {
  /** The lease of a running check, renewed when the check is admitted to its host. */
  checkMs: number;
  /** The lease of claimed probes, deployments, alerts and scans. */
  claimMs: number;
}

export const LEASES: Readonly<Leases> = { checkMs: 20_000, claimMs: 30_000 };

/** The scans per hour of one visitor and of one host; the waiting scans of one visitor and of all. */
export interface ScanBounds {
  visitorHour: number;
  visitorDay: number;
  hostHour: number;
  visitorAtOnce: number;
  queue: number;
  /** How long a page's newest scan is reused for other visitors. */
  reuseSeconds: number;
  /** The time until the same page may be scanned again. */
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

/** How long the server keeps a scan, and the browser the key that deletes it. */
export const SCANS_KEPT_DAYS = 30;

/** How many scans a server starts while it runs an account's check, so that the check gets the processor. */
export const SCANS_BESIDE_CHECKS = 1;

/** How many deployments a server verifies at the same time: in total, of one account when no other has any, and of one project. */
export const DEPLOYMENTS_AT_ONCE = { total: 32, ofAccount: 24, ofProject: 4 };

/** How long a deployment's page may answer as if it did not exist yet, and the time between two visits. */
export const DEPLOYMENT_APPEARS = { withinMs: 120_000, againMs: 5000 };

/** How many watched URLs a server verifies at the same time; a round has the same limit. */
export const VERIFICATIONS_AT_ONCE = 8;

/** The limit of requests that one check sends to a site, including redirects and handshakes. */
export const MAX_REQUESTS = 45;
/** The limit of bytes read from a page, decoded. */
export const MAX_PAGE_BYTES = 1_572_864;
/** The limit of bytes read from one of its files, decoded. */
export const MAX_FILE_BYTES = 524_288;
/** The limit of bytes read from the page and its files together. */
export const MAX_READ_BYTES = 2_621_440;
/** How many of these requests may be for files that the page loads. */
export const MAX_ASSETS = 12;
/** How many of these requests may be for links from the page to its own host. */
export const MAX_LINKS = 8;
/** How many redirects are followed from the page, from its URL over http and from its www variant. */
export const MAX_REDIRECTS = 5;
/** The limit of requests in one such redirect chain. */
export const CHAIN_REQUESTS = 1 + MAX_REDIRECTS;
/** The limit of requests for the page itself; one of them may be retried once. */
export const PAGE_REQUESTS = CHAIN_REQUESTS + 1;
/** The limit of requests for robots.txt: two redirects are followed (RFC 9309, 2.3.1.2). */
export const ROBOTS_REQUESTS = 3;
/** The limit of requests for a path that does not exist; redirects may add a trailing slash and a language. */
export const NOT_FOUND_REQUESTS = 3;
/** How long the robots.txt of an origin may take before a public scan. */
export const OWNER_TIMEOUT_MS = 3000;
/** The timeout for a site's sitemaps, when URLs are imported from them. */
export const SITEMAP_TIMEOUT_MS = 10_000;
/** How many sitemap files an import reads, and how many redirects it follows from each. */
export const SITEMAP_FILES = 8;
export const SITEMAP_REDIRECTS = 3;
/** How many host names an import resolves: files of an index are on its own host. */
export const SITEMAP_NAMES = 1 + SITEMAP_FILES * SITEMAP_REDIRECTS;
/** The time from a check's first request to its last. */
export const CHECK_TIMEOUT_MS = 8000;
/** The timeout of one request, including its connection. */
export const REQUEST_TIMEOUT_MS = 4000;
/** How many connections a check has to one host at the same time. */
export const MAX_CONNECTIONS = 6;

/** A session ends `idleDays` after its last use, and `maxDays` after its start. */
export const SESSION_LIFE = { idleDays: 14, maxDays: 90 } as const;
