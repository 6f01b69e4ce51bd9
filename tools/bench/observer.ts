import { startSite, type Site } from "../../test/harness/site.ts";

/** A request that a site saw; times by `performance.now()`. */
export interface Seen {
  url: string;
  /** Which process asked, as its User-Agent says. */
  by: string;
  startedAt: number;
  /** Undefined while it is under way. */
  endedAt: number | undefined;
  /** Whether the process left before its answer. */
  isCut: boolean;
}

/** The sites that the servers look at, as somebody outside sees them. */
export interface Observer {
  urls: readonly string[];
  seen: Seen[];
  /** URLs that answer 503 now. */
  failing: Set<string>;
  close: Site["close"];
}

const ANSWER_MS = 150;

/** Serves two URLs of each of so many hosts, and notes each request. */
export async function startObserver(hosts: number): Promise<Observer> {
  const names = Array.from({ length: hosts }, (_, index) => `h${index}.localhost`);
  const seen: Seen[] = [];
  const failing = new Set<string>();
  const site = await startSite({
    hosts: names,
    routes: {
      "*": (request, response) => {
        const url = `https://${request.headers.host}${request.url}`;
        const by = /\+http:\/\/([\w-]+)/.exec(request.headers["user-agent"] ?? "")?.[1] ?? "";
        const one: Seen = {
          url,
          by,
          startedAt: performance.now(),
          endedAt: undefined,
          isCut: false,
        };
        seen.push(one);
        response.on("close", () => {
          one.endedAt = performance.now();
          one.isCut = !response.writableFinished;
        });
        setTimeout(() => {
          response.writeHead(failing.has(url) ? 503 : 200, { "content-type": "text/html" });
          response.end("<!doctype html><title>x</title><p>Some text to read on this page.</p>");
        }, ANSWER_MS);
      },
    },
  });
  const urls = names.flatMap((name) =>
    ["a", "b"].map((path) => `https://${name}:${site.port}/${path}`),
  );
  return { urls, seen, failing, close: () => site.close() };
}

/** What requests tell of the leases behind them. */
export interface Findings {
  requests: number;
  /** Requests that a process sends while it runs, under no lease, to learn whether anything answers it. */
  peers: number;
  /** Requests of one process while the lease of another was alive. */
  doubles: string[];
  /** URLs that nobody asked for to the end. */
  lost: string[];
  longestGapMs: number;
}

const LEASE_MS = 30_000;
/** The most time between a claim and its request that is assumed, since a claim cannot be seen from outside. */
const CLAIM_MS = 5_000;

/** A part of a run: when it began and ended, after how long a URL counts as lost, and when which process was killed. */
export interface Period {
  from: number;
  to: number;
  maxGapMs: number;
  killed: ReadonlyMap<string, number>;
  /** When which process went on that had been stopped. */
  continued: ReadonlyMap<string, number>;
  /** The domains that it asks then to learn whether anything answers it. */
  isPeer: (by: string, url: string) => boolean;
}

export function judgeSeen(
  { urls, seen }: Pick<Observer, "urls" | "seen">,
  { from, to, maxGapMs, killed, continued, isPeer }: Period,
): Findings {
  const asksPeer = ({ by, url, startedAt }: Seen) => {
    const lateMs = startedAt - (continued.get(by) ?? Infinity);
    return lateMs >= 0 && lateMs < PEERS_MS && isPeer(by, url);
  };
  const findings: Findings = {
    requests: seen.length,
    peers: seen.filter(asksPeer).length,
    doubles: [],
    lost: [],
    longestGapMs: 0,
  };
  for (const url of urls) {
    const asked = seen.filter((one) => one.url === url);
    const times = [from, ...asked.map(({ startedAt }) => startedAt), to];
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    findings.longestGapMs = Math.max(findings.longestGapMs, ...gaps);
    if ((gaps.at(-1) ?? 0) > maxGapMs) findings.lost.push(url);
    const looks = asked.filter((one) => !asksPeer(one));
    findings.doubles.push(...findDoubles(looks, killed));
  }
  return findings;
}

const DYING_MS = 1000;
const PEERS_MS = 5000;

/** A process that was killed holds its lease; one that hangs loses it after that time. */
function findDoubles(asked: readonly Seen[], killed: ReadonlyMap<string, number>): string[] {
  return asked.flatMap((one, index) => {
    const leaseEnds = one.startedAt + LEASE_MS - CLAIM_MS;
    const endedAt = one.endedAt ?? Infinity;
    const wasKilled = one.isCut && Math.abs((killed.get(one.by) ?? 0) - endedAt) < DYING_MS;
    const freeAt = wasKilled ? leaseEnds : Math.min(endedAt, leaseEnds);
    return asked
      .slice(index + 1)
      .filter(({ by, startedAt }) => by !== one.by && startedAt < freeAt)
      .map(
        ({ by, startedAt }) =>
          `${one.url}: ${by} asked ${Math.round(startedAt - one.startedAt)} ms after ${one.by}`,
      );
  });
}
