import { Resolver as DnsResolver } from "node:dns/promises";
import { statSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { isIP } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { openDeadline } from "./deadline.ts";

/** What a name resolves to: the answers to A, then to AAAA, or all that the hosts file lists. */
export type Resolution =
  | { outcome: "found"; addresses: string[] }
  | { outcome: "not_found" }
  /** `isConfirmed`: a second name server, which is itself in order, finds no address either. */
  | { outcome: "failed" | "timeout"; isConfirmed?: true };

export interface Resolver {
  /** Resolves a lower-case absolute name without its trailing dot; never rejects because of an answer. */
  resolve(name: string, signal: AbortSignal): Promise<Resolution>;
}

const TIMEOUT_MS = 2_000;
/** How long the first name servers may be silent before the second are asked as well. */
const PATIENCE_MS = 1_000;
/** Time of the first of two tries; c-ares doubles it for the second, which stays within TIMEOUT_MS. */
const TRY_TIMEOUT_MS = 650;
const LOOPBACK = ["127.0.0.1", "::1"];
const HOSTS_FILE =
  process.platform === "win32" ? String.raw`C:\Windows\System32\drivers\etc\hosts` : "/etc/hosts";

/** The codes of name servers that sent nothing. */
const SILENT_CODES = new Set(["ETIMEOUT", "ECANCELLED", "ECONNREFUSED"]);

type Hosts = ReadonlyMap<string, string[]>;

export interface ResolverOptions {
  /** The name servers asked first, as `address` or `address:port`; by default the system's. */
  servers?: readonly string[];
  /** The servers asked when the first give an error or no answer; by default the system's others. */
  secondServers?: readonly string[];
  hostsFile?: string;
}

/**
 * Resolves through name servers with c-ares: absolute names, no search suffix, CNAMEs followed, 2 s, and another
 * second where second name servers have to be asked. The hosts file comes first, as everywhere, and `localhost` names
 * (RFC 6761) that it does not list are the loopback.
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

/** Whether the text lists addresses of name servers, each with a port or without, separated by commas. */
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

/** The first answer that settles what the name leads to; without one, whether the second servers confirm that there is none. */
async function queryBoth(
  name: string,
  signal: AbortSignal,
  firstServers: readonly string[],
  secondServers: readonly string[],
): Promise<Resolution> {
  const asked = queryAddresses(name, signal, firstServers);
  const early = await Promise.race([asked, sleep(PATIENCE_MS, undefined, { ref: false })]);
  if (early && isSettled(early)) return early;
  const [second, isInOrder] = await Promise.all([
    queryAddresses(name, signal, secondServers),
    areInOrder(secondServers, signal),
  ]);
  if (isSettled(second)) return second;
  const first = await asked;
  if (isSettled(first) || !isInOrder) return first;
  return { ...first, isConfirmed: true };
}

type Settled = Extract<Resolution, { outcome: "found" | "not_found" }>;

const isSettled = (resolution: Resolution): resolution is Settled =>
  resolution.outcome === "found" || resolution.outcome === "not_found";

/** Whether name servers answer a question about the root, so that an error or silence is about the other name. */
async function areInOrder(servers: readonly string[], signal: AbortSignal): Promise<boolean> {
  const answer = ask(servers, signal, (resolver) => resolver.resolveNs("."));
  const code = await answer.then(() => "", codeOf);
  return !SILENT_CODES.has(code) && code !== "EREFUSED";
}

async function queryAddresses(
  name: string,
  signal: AbortSignal,
  servers: readonly string[],
): Promise<Resolution> {
  if (signal.aborted) return { outcome: "timeout" };
  return ask(servers, signal, async (resolver) =>
    joinAnswers(
      await Promise.allSettled([resolver.resolve4(`${name}.`), resolver.resolve6(`${name}.`)]),
    ),
  );
}

/** Lets a question be asked for 2 s; it fails with ECANCELLED when the signal aborts. */
async function ask<Answer>(
  servers: readonly string[],
  signal: AbortSignal,
  question: (resolver: DnsResolver) => Promise<Answer>,
): Promise<Answer> {
  const deadline = openDeadline(signal, TIMEOUT_MS);
  const resolver = new DnsResolver({ timeout: TRY_TIMEOUT_MS, tries: 2 });
  resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  try {
    const answer = question(resolver);
    deadline.signal.addEventListener("abort", cancel, { once: true });
    return await answer;
  } finally {
    deadline.clear();
  }
}

/** Addresses of one family are enough; NXDOMAIN concerns the name, whatever the other query returned. */
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

/** Reads the hosts file again if it has changed since the last call; a missing file lists nothing. */
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
