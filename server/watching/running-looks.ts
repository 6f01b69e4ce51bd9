import { domainOf } from "../base/syntax/host-pattern.ts";
import { LOOKS_OF_DOMAIN, type ClaimedUrl, type RunningCounts } from "../db/watching/looks.ts";

/** A probe counts for its domain for at least a second, so a domain gets at most two at a time and two a second. */
export interface RunningLooks {
  readonly counts: RunningCounts;
  hasRoom(url: string): boolean;
  /** Call the returned function when the probe ends. */
  begin(look: Pick<ClaimedUrl, "url"> & Partial<Pick<ClaimedUrl, "account">>): () => void;
}

const SECOND_MS = 1000;

export function createRunningLooks(): RunningLooks {
  const accounts = new Map<string, number>();
  const domains = new Map<string, number>();

  function add(counts: Map<string, number>, key: string, more: number): void {
    const count = (counts.get(key) ?? 0) + more;
    if (count > 0) counts.set(key, count);
    else counts.delete(key);
  }

  return {
    get counts() {
      return { accounts: Object.fromEntries(accounts), domains: Object.fromEntries(domains) };
    },
    hasRoom: (url) => (domains.get(domainOf(url)) ?? 0) < LOOKS_OF_DOMAIN,
    begin({ url, account }) {
      const domain = domainOf(url);
      const beganAt = performance.now();
      add(domains, domain, 1);
      if (account !== undefined) add(accounts, String(account), 1);
      return () => {
        if (account !== undefined) add(accounts, String(account), -1);
        const restMs = beganAt + SECOND_MS - performance.now();
        if (restMs <= 0) add(domains, domain, -1);
        else setTimeout(() => add(domains, domain, -1), restMs).unref();
      };
    },
  };
}
