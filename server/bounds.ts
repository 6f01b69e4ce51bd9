/** How many checks may visit a host: at once, and in a minute. */
interface Bound {
  atOnce: number;
  aMinute: number;
}

/** The checks of one host over all servers: those of each account, and all of them together. */
export interface HostBounds {
  account: Bound;
  all: Bound;
}

export const HOST_BOUNDS: Readonly<HostBounds> = {
  account: { atOnce: 4, aMinute: 60 },
  all: { atOnce: 8, aMinute: 240 },
};

/** The most that one check asks of a site, redirects and handshakes included. */
export const MAX_REQUESTS = 30;
/** Of these, files that the page loads. */
export const MAX_ASSETS = 12;
/** Of these, links of the page to its own host. */
export const MAX_LINKS = 8;
/** From a check's first request to its last. */
export const CHECK_TIMEOUT_MS = 8000;
