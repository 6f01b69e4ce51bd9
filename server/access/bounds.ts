import type { HostBounds } from "../db/checks.ts";

/** How many checks may visit one host, over all servers. */
export const HOST_BOUNDS: Readonly<HostBounds> = {
  account: { atOnce: 4, aMinute: 60 },
  all: { atOnce: 8, aMinute: 240 },
};
