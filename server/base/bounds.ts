interface Bound {
  atOnce: number;
  aMinute: number;
}

/** Limits for one host across all servers. `account` applies per account, where all scans count as one account; `all` is the total. */
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
  /** The lease is renewed when the host admits the check, and when the visit begins late. */
  checkMs: number;
  /** Applies to claimed probes, deployments, alerts and scans. */
  claimMs: number;
}

export const LEASES: Readonly<Leases> = { checkMs: 25_000, claimMs: 35_000 };

/** `visitorAtOnce` limits the waiting scans of one visitor, `queue` those of all visitors. */
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

/** Also the lifetime of the browser's key that deletes a scan. */
export const SCANS_KEPT_DAYS = 30;

/** How many scans a server starts while it runs an account's check, so that the check gets the processor. */
export const SCANS_BESIDE_CHECKS = 1;

/** The limits per server. `ofAccount` applies while no other account has a deployment in progress. */
export const DEPLOYMENTS_AT_ONCE = { total: 32, ofAccount: 24, ofProject: 4 };

/** `withinMs` is how long a deployment's page may answer as if it did not exist yet. `againMs` is the time between two visits. */
export const DEPLOYMENT_APPEARS = { withinMs: 120_000, againMs: 5000 };

/** The limit per server. A round has the same limit. */
export const VERIFICATIONS_AT_ONCE = 8;

/** The limit per check, including redirects and handshakes. */
export const MAX_REQUESTS = 80;
/** The limit for the decoded page. */
export const MAX_PAGE_BYTES = 1_572_864;
/** The limit for one decoded file that the page loads. */
export const MAX_FILE_BYTES = 524_288;
/** The limit for the page and its files together. */
export const MAX_READ_BYTES = 5_242_880;
/** Counts files that the page itself names. */
export const MAX_ASSETS = 40;
/** Counts files that the page's style sheets and its manifest name. */
export const MAX_NAMED_FILES = 10;
/** Counts links to the page's own host. */
export const MAX_LINKS = 20;
/** Chromium follows this many redirects to a page; the next one is an error. */
export const MAX_REDIRECTS = 19;
/** Files leave at least this many requests for links. */
export const MIN_LINK_REQUESTS = 10;
/** One of these requests may be retried once. */
export const PAGE_REQUESTS = 1 + MAX_REDIRECTS + 1;
/** A page that only leads on to another one is followed once, with fewer redirects. */
export const STEP_REQUESTS = 6;
/** Applies separately to the page's URL over http and its www variant. */
export const CHAIN_REQUESTS = 6;
/** Two redirects are followed (RFC 9309, 2.3.1.2). */
export const ROBOTS_REQUESTS = 3;
/** Redirects may add a trailing slash and a language. */
export const NOT_FOUND_REQUESTS = 3;
/** Two redirects are followed. */
export const MISSING_FILE_REQUESTS = 3;
/** How long the robots.txt of an origin may take before a public scan. */
export const OWNER_TIMEOUT_MS = 3000;
/** The timeout for a site's sitemaps, when URLs are imported from them. */
export const SITEMAP_TIMEOUT_MS = 10_000;
/** How many sitemap files an import reads, and how many redirects it follows from each. */
export const SITEMAP_FILES = 8;
export const SITEMAP_REDIRECTS = 3;
/** An import reads only files on the index's own host, so only redirects lead to other names. */
export const SITEMAP_NAMES = 1 + SITEMAP_FILES * SITEMAP_REDIRECTS;
/** The time from a check's first request to its last. */
export const CHECK_TIMEOUT_MS = 18_000;
/** The time from a check's first request to the end of the page, including its redirects. */
export const PAGE_TIMEOUT_MS = 15_000;
/** How long the page, or one of its redirects, may take to its first byte. The timeout includes the connection. */
export const FIRST_BYTE_TIMEOUT_MS = 10_000;
/** The timeout of all other requests. It includes the connection. */
export const REQUEST_TIMEOUT_MS = 4000;
/** The limit per check and host. */
export const MAX_CONNECTIONS = 6;

export const SESSION_LIFE = { idleDays: 14, maxDays: 90 } as const;
