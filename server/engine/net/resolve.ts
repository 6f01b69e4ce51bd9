import { Resolver as DnsResolver } from "node:dns/promises";
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { openDeadline } from "./deadline.ts";

/** The addresses of a name: those of the A answer, then of AAAA, or all that the hosts file lists. */
export type Resolution =
  | { outcome: "found"; addresses: string[] }
  | { outcome: "not_found" }
  /** `isConfirmed`: a second name server that works also finds no address. */
  | { outcome: "failed" | "timeout"; isConfirmed?: true };

export interface Resolver {
  /** Takes a lower-case absolute name without its trailing dot. No DNS answer makes the promise reject. */
  resolve(name: string, signal: AbortSignal): Promise<Resolution>;
}

const TIMEOUT_MS = 2_000;
/** How long the first name servers may be silent before the resolver also queries the second ones. */
const PATIENCE_MS = 1_000;
/**
 * The timeout of the first of two tries. c-ares doubles the timeout for the second try, which still ends within
 * TIMEOUT_MS.
 */
const TRY_TIMEOUT_MS = 650;
const LOOPBACK = ["127.0.0.1", "::1"];
const HOSTS_FILE =
  process.platform === "win32" ? String.raw`C:\Windows\System32\drivers\etc\hosts` : "/etc/hosts";

const SILENT_CODES = new Set(["ETIMEOUT", "ECANCELLED", "ECONNREFUSED"]);

type Hosts = ReadonlyMap<string, string[]>;

export interface ResolverOptions {
  /**
   * Each as `address` or `address:port`. By default `servers` is the system's first server, and `secondServers` are the
   * system's others.
   */
  servers?: readonly string[];
  secondServers?: readonly string[];
  hostsFile?: string;
}

/**
 * c-ares uses no search suffix. `localhost` resolves to the loopback, unless the hosts file lists the name (RFC 6761).
 */
export function createResolver(options: ResolverOptions = {}): Resolver {
  const readHosts = openHosts(options.hostsFile ?? HOSTS_FILE);
  return {
    async resolve(name, signal) {
      const listed = (await readHosts()).get(name);
      if (listed !== undefined) return { outcome: "found", addresses: listed };
      if (name === "localhost" || name.endsWith(".localhost"))
        return { outcome: "found", addresses: LOOPBACK };
      const { first, second } = chooseServers(options);
      return second.length === 0
        ? queryAddresses(name, signal, first)
        : queryBoth(name, signal, first, second);
    },
  };
}

export function areNameServers(text: string): boolean {
  try {
    new DnsResolver().setServers(splitServers(text));
    return true;
  } catch {
    return false;
  }
}

export function splitServers(text: string): string[] {
  return text.split(",").map((entry) => entry.trim());
}

function chooseServers({ servers, secondServers }: ResolverOptions) {
  const own = servers ?? new DnsResolver().getServers();
  if (secondServers !== undefined) return { first: own, second: secondServers };
  return { first: own.slice(0, 1), second: own.slice(1) };
}

/** If the first servers give no definite answer, the second ones are queried too. They confirm a failure. */
async function queryBoth(
  name: string,
  signal: AbortSignal,
  firstServers: readonly string[],
  secondServers: readonly string[],
): Promise<Resolution> {
  const firstQuery = queryAddresses(name, signal, firstServers);
  const early = await Promise.race([firstQuery, sleep(PATIENCE_MS, undefined, { ref: false })]);
  if (early && isSettled(early)) return early;
  const [second, isWorking] = await Promise.all([
    queryAddresses(name, signal, secondServers),
    canResolveRoot(secondServers, signal),
  ]);
  if (isSettled(second)) return second;
  const first = await firstQuery;
  if (isSettled(first) || !isWorking) return first;
  return { ...first, isConfirmed: true };
}

type Settled = Extract<Resolution, { outcome: "found" | "not_found" }>;

const isSettled = (resolution: Resolution): resolution is Settled =>
  resolution.outcome === "found" || resolution.outcome === "not_found";

/** If the servers can resolve the root, they work. Their error or silence then concerns only the queried name. */
async function canResolveRoot(servers: readonly string[], signal: AbortSignal): Promise<boolean> {
  const answer = query(servers, signal, (resolver) => resolver.resolveNs("."));
  const code = await answer.then(() => "", codeOf);
  return !SILENT_CODES.has(code) && code !== "EREFUSED";
}

async function queryAddresses(
  name: string,
  signal: AbortSignal,
  servers: readonly string[],
): Promise<Resolution> {
  if (signal.aborted) return { outcome: "timeout" };
  return query(servers, signal, async (resolver) =>
    joinAnswers(
      await Promise.allSettled([resolver.resolve4(`${name}.`), resolver.resolve6(`${name}.`)]),
    ),
  );
}

/** Fails with ECANCELLED when the signal aborts. */
async function query<Answer>(
  servers: readonly string[],
  signal: AbortSignal,
  send: (resolver: DnsResolver) => Promise<Answer>,
): Promise<Answer> {
  const deadline = openDeadline(signal, TIMEOUT_MS);
  const resolver = new DnsResolver({ timeout: TRY_TIMEOUT_MS, tries: 2 });
  resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  try {
    const answer = send(resolver);
    deadline.signal.addEventListener("abort", cancel, { once: true });
    return await answer;
  } finally {
    deadline.clear();
  }
}

/**
 * Addresses of one family are enough. An NXDOMAIN answer concerns the whole name, whatever the other query returned.
 */
function joinAnswers(answers: readonly PromiseSettledResult<string[]>[]): Resolution {
  const addresses: string[] = [];
  const codes: string[] = [];
  for (const answer of answers) {
    if (answer.status === "fulfilled") addresses.push(...answer.value);
    else codes.push(codeOf(answer.reason));
  }
  if (addresses.length > 0) return { outcome: "found", addresses };
  if (codes.includes("ENOTFOUND")) return { outcome: "not_found" };
  const unanswered = codes.find((code) => code !== "ENODATA");
  if (unanswered === undefined) return { outcome: "not_found" };
  return { outcome: SILENT_CODES.has(unanswered) ? "timeout" : "failed" };
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

function openHosts(file: string): () => Promise<Hosts> {
  let hosts: Hosts = new Map();
  let readVersion = "";
  return async () => {
    try {
      const { mtimeMs, size, ino } = statSync(file);
      const version = `${mtimeMs} ${size} ${ino}`;
      if (version === readVersion) return hosts;
      hosts = parseHosts(await readFile(file, "utf8"));
      readVersion = version;
    } catch {
      hosts = new Map();
      readVersion = "";
    }
    return hosts;
  };
}

function parseHosts(text: string): Hosts {
  const hosts = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = line.replace(/#.*/, "").trim().split(/\s+/);
    if (isIP(address) === 0) continue;
    for (const name of names) {
      const key = name.toLowerCase().replace(/\.$/, "");
      hosts.set(key, [...(hosts.get(key) ?? []), address]);
    }
  }
  return hosts;
}
