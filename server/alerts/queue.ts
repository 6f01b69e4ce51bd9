import {
  claimAlerts,
  putOffAlerts,
  type ClaimedAlert,
  type Places,
} from "../db/alerts/alert-claims.ts";
import type { Deps } from "../deps.ts";
import { sendNext } from "./sending.ts";

const AT_ONCE = 64;
/** Hosts that are slow, or do not answer, and an account that has many of them, take no more places than these. */
const MOST = { toHost: 8, ofOwner: 16 };

/** An equal share for each owner whose messages are being sent, and for one more, who then finds a place. */
const shareOf = (owners: number) =>
  Math.max(1, Math.min(MOST.ofOwner, Math.floor(AT_ONCE / (owners + 1))));

const count = (held: Map<string, number>, key: string, change: 1 | -1) => {
  const now = (held.get(key) ?? 0) + change;
  if (now === 0) held.delete(key);
  else held.set(key, now);
};

/**
 * Returns the function that begins to send as many messages as there is room for in this process; to be called again and
 * again. It calls itself when one has been sent. To each target one message is sent at a time.
 */
export function createOutbox(
  deps: Deps,
  run: (work: () => Promise<unknown>) => void,
): () => Promise<void> {
  const { sql } = deps.database;
  const toHosts = new Map<string, number>();
  const ofOwners = new Map<string, number>();
  let sending = 0;
  let isClaiming = false;
  let isNews = false;

  function hold({ host, ownerId }: ClaimedAlert, change: 1 | -1): void {
    sending += change;
    count(toHosts, host, change);
    if (ownerId !== null) count(ofOwners, ownerId, change);
  }

  function begin(claimed: ClaimedAlert): void {
    hold(claimed, 1);
    run(() =>
      sendNext(deps, claimed).finally(() => {
        hold(claimed, -1);
        run(claimAll);
      }),
    );
  }

  const places = (): Places => ({
    // Half at a time: a share becomes smaller as owners come.
    free: Math.ceil((AT_ONCE - sending) / 2),
    hosts: { most: MOST.toHost, held: toHosts },
    owners: { most: shareOf(ofOwners.size), held: ofOwners },
  });

  /** Makes way, in the end, for what is due behind alerts of hosts and owners that have their share. */
  async function claimNext(): Promise<boolean> {
    isNews = false;
    const claimed = await claimAlerts(sql, places(), deps.leases.claimMs);
    claimed.forEach(begin);
    return (await putOffAlerts(sql, places())) > 0 || claimed.length > 0 || isNews;
  }

  async function claimAll(): Promise<void> {
    isNews = true;
    if (isClaiming) return;
    isClaiming = true;
    try {
      while (sending < AT_ONCE && !deps.draining.aborted && (await claimNext()));
    } finally {
      isClaiming = false;
    }
  }

  return claimAll;
}
