import { queueReminders } from "../db/alerts/outbox.ts";
import {
  ALERTS,
  claimTargets,
  postponeTargets,
  type ClaimedAlert,
  type Permits,
  type Targets,
} from "../db/alerts/alert-claims.ts";
import type { Deps } from "../deps.ts";
import { sendNext } from "./sending.ts";

/** A target that is claimed, by what its permits are counted. */
interface Claimed {
  host: string;
  ownerId: string | null;
}

/** Targets of one kind, and how the next that waits for one is sent. */
export interface Outbox<Target extends Claimed> {
  targets: Targets;
  send: (claimed: Target) => Promise<void>;
}

export const alertsOf = (deps: Deps): Outbox<ClaimedAlert> => ({
  targets: ALERTS,
  send: (claimed) => sendNext(deps, claimed),
});

const AT_ONCE = 64;
/** Hosts that are slow, or do not answer, and an account that has many of them, take no more permits than these. */
const MOST = { toHost: 8, ofOwner: 16 };

/** An equal share for each owner whose messages are being sent, and for one more, who then finds a permit. */
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
export function createOutbox<Target extends Claimed>(
  { database: { sql }, draining, leases }: Deps,
  run: (work: () => Promise<unknown>) => void,
  { targets, send }: Outbox<Target>,
): () => Promise<void> {
  const toHosts = new Map<string, number>();
  const ofOwners = new Map<string, number>();
  let sending = 0;
  let isClaiming = false;
  let isNews = false;

  function hold({ host, ownerId }: Target, change: 1 | -1): void {
    sending += change;
    count(toHosts, host, change);
    if (ownerId !== null) count(ofOwners, ownerId, change);
  }

  function begin(claimed: Target): void {
    hold(claimed, 1);
    run(() =>
      send(claimed).finally(() => {
        hold(claimed, -1);
        run(claimAll);
      }),
    );
  }

  const permits = (): Permits => ({
    // Half at a time: a share becomes smaller as owners come.
    free: Math.ceil((AT_ONCE - sending) / 2),
    hosts: { most: MOST.toHost, held: toHosts },
    owners: { most: shareOf(ofOwners.size), held: ofOwners },
  });

  /** Makes way, in the end, for what is due behind targets of hosts and owners that have their share. */
  async function claimNext(): Promise<boolean> {
    isNews = false;
    const claimed = await claimTargets<Target>(sql, targets, permits(), leases.claimMs);
    claimed.forEach(begin);
    return (await postponeTargets(sql, targets, permits())) > 0 || claimed.length > 0 || isNews;
  }

  async function claimAll(): Promise<void> {
    isNews = true;
    if (isClaiming) return;
    isClaiming = true;
    try {
      while (sending < AT_ONCE && !draining.aborted && (await claimNext()));
    } finally {
      isClaiming = false;
    }
  }

  return claimAll;
}

export const remindOfIncidents = ({ database }: Pick<Deps, "database">): Promise<void> =>
  queueReminders(database);
