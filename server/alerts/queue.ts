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

interface ClaimedTarget {
  host: string;
  ownerId: string | null;
}

export interface Outbox<Target extends ClaimedTarget> {
  targets: Targets;
  send: (claimed: Target) => Promise<void>;
}

export const createAlertOutbox = (deps: Deps): Outbox<ClaimedAlert> => ({
  targets: ALERTS,
  send: (claimed) => sendNext(deps, claimed),
});

const MAX_SENDING = 64;
/** Limits the permits of a slow host, and of an account that has many slow hosts. */
const MOST = { toHost: 8, ofOwner: 16 };

/** Gives equal shares to all owners with messages in transit, and keeps one share free for the next owner. */
const shareOf = (owners: number) =>
  Math.max(1, Math.min(MOST.ofOwner, Math.floor(MAX_SENDING / (owners + 1))));

const count = (held: Map<string, number>, key: string, change: 1 | -1) => {
  const now = (held.get(key) ?? 0) + change;
  if (now === 0) held.delete(key);
  else held.set(key, now);
};

/** Call the returned function repeatedly; it also runs after each sent message. Each target gets one message at a time. */
export function createOutbox<Target extends ClaimedTarget>(
  { database: { sql }, draining, leases }: Deps,
  run: (work: () => Promise<unknown>) => void,
  { targets, send }: Outbox<Target>,
): () => Promise<void> {
  const toHosts = new Map<string, number>();
  const ofOwners = new Map<string, number>();
  let sending = 0;
  let isClaiming = false;
  let hasNews = false;

  function hold({ host, ownerId }: Target, change: 1 | -1): void {
    sending += change;
    count(toHosts, host, change);
    if (ownerId !== null) count(ofOwners, ownerId, change);
  }

  function startSending(claimed: Target): void {
    hold(claimed, 1);
    run(() =>
      send(claimed).finally(() => {
        hold(claimed, -1);
        run(claimAll);
      }),
    );
  }

  const permits = (): Permits => ({
    // Claims only half of the free permits, since shares shrink as more owners arrive.
    free: Math.ceil((MAX_SENDING - sending) / 2),
    hosts: { most: MOST.toHost, held: toHosts },
    owners: { most: shareOf(ofOwners.size), held: ofOwners },
  });

  /** Also postpones due targets of hosts and owners with a full share, so that targets behind them can be claimed. */
  async function claimNext(): Promise<boolean> {
    hasNews = false;
    const claimed = await claimTargets<Target>(sql, targets, permits(), leases.claimMs);
    claimed.forEach(startSending);
    return (await postponeTargets(sql, targets, permits())) > 0 || claimed.length > 0 || hasNews;
  }

  async function claimAll(): Promise<void> {
    hasNews = true;
    if (isClaiming) return;
    isClaiming = true;
    try {
      while (sending < MAX_SENDING && !draining.aborted && (await claimNext()));
    } finally {
      isClaiming = false;
    }
  }

  return claimAll;
}

export const remindOfIncidents = ({ database }: Pick<Deps, "database">): Promise<void> =>
  queueReminders(database);
