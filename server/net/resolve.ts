import { Resolver as DnsResolver } from "node:dns/promises";
import { readFile, stat } from "node:fs/promises";
import { isIP } from "node:net";

/** What a name resolves to: the answers to A, then to AAAA, or all that the hosts file lists. */
export type Resolution =
  | { outcome: "found"; addresses: string[] }
  | { outcome: "not_found" | "failed" | "timeout" };

export interface Resolver {
  /** Resolves a lower-case absolute name without its trailing dot; never rejects because of an answer. */
  resolve(name: string, signal: AbortSignal): Promise<Resolution>;
}

const TIMEOUT_MS = 2_000;
/** Time of the first of two tries; c-ares doubles it for the second, which stays within TIMEOUT_MS. */
const TRY_TIMEOUT_MS = 650;
const LOOPBACK = ["127.0.0.1", "::1"];
const HOSTS_FILE =
  process.platform === "win32" ? String.raw`C:\Windows\System32\drivers\etc\hosts` : "/etc/hosts";

const TIMEOUT_CODES = new Set(["ETIMEOUT", "ECANCELLED"]);

type Hosts = ReadonlyMap<string, string[]>;

/**
 * Resolves through the system's name servers (or `servers`, as `address:port`) with c-ares: absolute names, no
 * search suffix, CNAMEs followed, 2 s. The hosts file comes first, as everywhere, and `localhost` names (RFC 6761)
 * that it does not list are the loopback.
 */
export function createResolver(
  options: { servers?: readonly string[]; hostsFile?: string } = {},
): Resolver {
  const readHosts = openHosts(options.hostsFile ?? HOSTS_FILE);
  return {
    async resolve(name, signal) {
      const listed = (await readHosts()).get(name);
      if (listed !== undefined) return { outcome: "found", addresses: listed };
      if (name === "localhost" || name.endsWith(".localhost"))
        return { outcome: "found", addresses: LOOPBACK };
      return queryAddresses(name, signal, options.servers);
    },
  };
}

async function queryAddresses(
  name: string,
  signal: AbortSignal,
  servers: readonly string[] | undefined,
): Promise<Resolution> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  if (bounded.aborted) return { outcome: "timeout" };
  const resolver = new DnsResolver({ timeout: TRY_TIMEOUT_MS, tries: 2 });
  if (servers) resolver.setServers(servers);
  const cancel = (): void => resolver.cancel();
  bounded.addEventListener("abort", cancel, { once: true });
  try {
    const answers = await Promise.allSettled([
      resolver.resolve4(`${name}.`),
      resolver.resolve6(`${name}.`),
    ]);
    return joinAnswers(answers);
  } finally {
    bounded.removeEventListener("abort", cancel);
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
  return { outcome: TIMEOUT_CODES.has(unanswered) ? "timeout" : "failed" };
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
      const { mtimeMs, size, ino } = await stat(file);
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
