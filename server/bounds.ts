/** How many checks may visit a host: at the same time, and per minute. */
interface Bound {
  atOnce: number;
  aMinute: number;
}

/** Limits for one host across all servers: per account, and for all accounts together. */
export interface HostBounds {
  account: Bound;
  all: Bound;
}

export const HOST_BOUNDS: Readonly<HostBounds> = {
  account: { atOnce: 4, aMinute: 60 },
  all: { atOnce: 8, aMinute: 240 },
};

/** Most requests that one check sends to a site, redirects and handshakes included. */
export const MAX_REQUESTS = 30;
/** How many of these may be for files that the page loads. */
export const MAX_ASSETS = 12;
/** How many of these may be for links from the page to its own host. */
export const MAX_LINKS = 8;
/** Time from a check's first request to its last. */
export const CHECK_TIMEOUT_MS = 8000;
