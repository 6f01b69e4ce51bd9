import { claimAlerts, putOffAlerts, type ClaimedAlert } from "../db/alerts/alert-claims.ts";
import type { Deps } from "../deps.ts";
import { sendNext } from "./sending.ts";

const AT_ONCE = 64;
/** A host that is slow, or does not answer, takes no more places than these. */
const AT_ONCE_TO_HOST = 8;

/**
 * Returns the function that begins to send as many messages as there is room for in this process; to be called again and
 * again. It calls itself when one has been sent. To each target one message is sent at a time.
 */
export function createOutbox(
  deps: Deps,
  run: (work: () => Promise<unknown>) => void,
): () => Promise<void> {
  const { sql } = deps.database;
  const held = new Map<string, number>();
  let sending = 0;
  let isClaiming = false;
  let isNews = false;

  function hold(host: string, change: 1 | -1): void {
    sending += change;
    const now = (held.get(host) ?? 0) + change;
    if (now === 0) held.delete(host);
    else held.set(host, now);
  }

  function begin(claimed: ClaimedAlert): void {
    hold(claimed.host, 1);
    run(() =>
      sendNext(deps, claimed).finally(() => {
        hold(claimed.host, -1);
        run(claimAll);
      }),
    );
  }

  /** Makes way for what is due behind alerts of hosts that have their share. */
  async function putOffBusy(): Promise<boolean> {
    const busy = [...held].filter(([, count]) => count >= AT_ONCE_TO_HOST).map(([host]) => host);
    return busy.length > 0 && (await putOffAlerts(sql, busy, AT_ONCE_TO_HOST)) > 0;
  }

  async function claimNext(): Promise<boolean> {
    isNews = false;
    const free = AT_ONCE - sending;
    const places = { free, atHost: AT_ONCE_TO_HOST, held: Object.fromEntries(held) };
    const claimed = await claimAlerts(sql, places, deps.leases.claimMs);
    claimed.forEach(begin);
    return (await putOffBusy()) || claimed.length > 0 || isNews;
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
