import type { Choice, DueUrl } from "../db/watching/looks.ts";
import { domainOf } from "../base/syntax/domain.ts";

/** Keeps this process polite: at most two looks at one host (registrable domain) at once, and two begun a second. */
export interface Pacing {
  /** Chooses at most `places` of the due URLs, in their order; those of a host over its bounds are put off. */
  choose(due: readonly DueUrl[], places: number): Choice;
  /** Counts a look that begins; returns what counts its end. */
  begin(url: string): () => void;
}

interface Host {
  held: number;
  /** When the last looks began, latest last; at most `A_SECOND`. */
  begun: number[];
  /** When the last of its URLs that were put off is due. */
  busyUntil: number;
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
    const host = hosts.get(domain) ?? { held: 0, begun: [], busyUntil: 0 };
    hosts.set(domain, host);
    return host;
  }

  function forget(now: number): void {
    if (now - forgotten < FORGET_MS) return;
    forgotten = now;
    for (const [domain, { held, begun, busyUntil }] of hosts)
      if (held === 0 && Math.max(busyUntil, ...begun) < now - SECOND_MS) hosts.delete(domain);
  }

  function roomAt({ held, begun }: Host, now: number): number {
    const recent = begun.filter((time) => now - time < SECOND_MS).length;
    return Math.min(AT_ONCE - held, A_SECOND - recent);
  }

  function putOff(host: Host, now: number, url: DueUrl): number {
    const paceMs = SECOND_MS / A_SECOND;
    if (isDeciding(url)) return paceMs;
    host.busyUntil = Math.max(host.busyUntil, now + paceMs) + paceMs;
    return Math.min(host.busyUntil - now, LONGEST_MS);
  }

  return {
    choose(due, places) {
      const now = clock();
      forget(now);
      const rooms = new Map<Host, number>();
      const taken: DueUrl[] = [];
      const later: { number: number; seconds: number }[] = [];
      const first = due.filter(isDeciding);
      for (const url of [...first, ...due.filter((one) => !isDeciding(one))]) {
        const host = find(domainOf(url.url));
        const room = rooms.get(host) ?? roomAt(host, now);
        if (room <= 0)
          later.push({ number: url.number, seconds: putOff(host, now, url) / SECOND_MS });
        else if (taken.length < places) {
          taken.push(url);
          rooms.set(host, room - 1);
        }
      }
      return { taken, putOff: later };
    },
    begin(url) {
      const host = find(domainOf(url));
      host.held++;
      host.begun = [...host.begun, clock()].slice(-A_SECOND);
      return () => void host.held--;
    },
  };
}
