import type { Choice, DueUrl } from "../db/watching/looks.ts";
import { domainOf } from "../base/syntax/host-pattern.ts";

/** Keeps this process polite: at most two looks at one host (registrable domain) at once, and two begun a second. */
export interface Pacing {
  /**
   * Chooses of the due URLs, in their order, those for which `takePlace` has one; those of a host over its bounds are put
   * off, each account's behind its own.
   */
  choose(due: readonly DueUrl[], takePlace: (url: DueUrl) => boolean): Choice;
  /** True if a look at the URL may begin now. */
  hasRoom(url: string): boolean;
  /** Counts a look that begins, in the place of one that was chosen if it was; returns what counts its end. */
  begin(url: string, wasChosen: boolean): () => void;
}

interface Host {
  held: number;
  /** When looks were chosen that have not begun yet; one that never does counts for a second. */
  chosen: number[];
  /** When the last looks began, latest last; at most `A_SECOND`. */
  begun: number[];
  /** When the last of each account's URLs that were put off is due. */
  busyUntil: Map<number, number>;
}

const AT_ONCE = 2;
const A_SECOND = 2;
const SECOND_MS = 1000;
/** So that a host with a million URLs does not put one off for weeks: more servers may come. */
const LONGEST_MS = 3_600_000;
const FORGET_MS = 60_000;

/** A look that decides an incident is not put behind the others of its host. */
const isDeciding = ({ lastOutcome, hasOpenIncident }: DueUrl) =>
  lastOutcome !== null && (lastOutcome === "failed") !== hasOpenIncident;

export function createPacing(clock: () => number = () => performance.now()): Pacing {
  const hosts = new Map<string, Host>();
  let forgotten = clock();

  function find(domain: string): Host {
    const host = hosts.get(domain) ?? { held: 0, chosen: [], begun: [], busyUntil: new Map() };
    hosts.set(domain, host);
    return host;
  }

  function forget(now: number): void {
    if (now - forgotten < FORGET_MS) return;
    forgotten = now;
    for (const [domain, { held, begun, busyUntil }] of hosts) {
      for (const [account, until] of busyUntil) if (until < now) busyUntil.delete(account);
      if (held === 0 && busyUntil.size === 0 && Math.max(0, ...begun) < now - SECOND_MS)
        hosts.delete(domain);
    }
  }

  function hasRoomAt({ held, chosen, begun }: Host, now: number): boolean {
    const countRecent = (times: number[]) => times.filter((time) => now - time < SECOND_MS).length;
    const beginning = countRecent(chosen);
    return held + beginning < AT_ONCE && countRecent(begun) + beginning < A_SECOND;
  }

  function putOff(host: Host, now: number, url: DueUrl): number {
    const paceMs = SECOND_MS / A_SECOND;
    if (isDeciding(url)) return paceMs;
    const account = Math.abs(url.queue);
    const since = Math.max(host.busyUntil.get(account) ?? 0, now + paceMs);
    host.busyUntil.set(account, since);
    const until = since + paceMs * host.busyUntil.size;
    host.busyUntil.set(account, until);
    return Math.min(until - now, LONGEST_MS);
  }

  return {
    choose(due, takePlace) {
      const now = clock();
      forget(now);
      const taken: DueUrl[] = [];
      const later: { number: number; seconds: number }[] = [];
      const first = due.filter(isDeciding);
      for (const url of [...first, ...due.filter((one) => !isDeciding(one))]) {
        const host = find(domainOf(url.url));
        if (!hasRoomAt(host, now))
          later.push({ number: url.number, seconds: putOff(host, now, url) / SECOND_MS });
        else if (takePlace(url)) {
          taken.push(url);
          host.chosen = [...host.chosen, now].slice(-AT_ONCE);
        }
      }
      return { taken, putOff: later };
    },
    hasRoom: (url) => hasRoomAt(find(domainOf(url)), clock()),
    begin(url, wasChosen) {
      const host = find(domainOf(url));
      host.held++;
      if (wasChosen) host.chosen.shift();
      host.begun = [...host.begun, clock()].slice(-A_SECOND);
      return () => void host.held--;
    },
  };
}
