import type { Server, Socket } from "node:net";
import { isInNetworks, type Networks } from "../engine/net/address.ts";
import { peerOf, visitorAt } from "./visitor.ts";

/** For a system that names no limit: what systemd's unit and compose.yaml set. */
const USUAL_FILES = 8192;
const LEAST_OF_ADDRESS = 64;
const QUIET_MS = 60_000;

const ADDRESS_FULL =
  "connections are refused: this address has reached its limit. If it is your proxy's, add it to SHIPSCORE_TRUSTED_PROXIES; otherwise block it";
const SERVER_FULL =
  "connections are refused: half of the files that this process may open are connections. Raise that limit (LimitNOFILE, nofile, ulimit -n), or block this address, which has the most";

let fileLimit: number | undefined;

/** Returns how many files a process with this report may open. */
export function fileLimitOf(report: object): number {
  const { userLimits } = report as { userLimits?: { open_files?: { soft: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : USUAL_FILES;
}

/** A report waits for all threads, so the first call must come before they are started. */
export function readFileLimit(): number {
  // Otherwise Node looks up the names of all addresses that it is connected to.
  if (process.report) Object.assign(process.report, { excludeNetwork: true });
  fileLimit ??= fileLimitOf(process.report?.getReport() ?? {});
  return fileLimit;
}

interface LimitOptions {
  files: number;
  /** Their connections count for the server alone. */
  trustedProxies: Networks;
  log: { warn(line: object, why: string): void };
}

/**
 * Closes what exceeds half of the process's files, and what exceeds a quarter of that (64 at least) from one IPv4 address or /64
 * of IPv6. The other half is for the database, visits and the log. Call it before the server listens.
 */
export function limitConnections(server: Server, { files, trustedProxies, log }: LimitOptions) {
  const most = Math.floor(files / 2);
  const mostOfAddress = Math.max(LEAST_OF_ADDRESS, Math.floor(most / 4));
  const counts = new Map<string, number>();
  const warnedAt = new Map<string, number>();

  function warn(why: string, connections: number, findAddress: () => string | undefined): void {
    const now = performance.now();
    if (now - (warnedAt.get(why) ?? -Infinity) < QUIET_MS) return;
    warnedAt.set(why, now);
    log.warn({ address: findAddress(), connections, files }, why);
  }

  function leave(visitor: string): void {
    const left = (counts.get(visitor) ?? 0) - 1;
    if (left > 0) counts.set(visitor, left);
    else counts.delete(visitor);
  }

  // Node's listener would begin HTTP or TLS on a connection that is closed already.
  const [begin] = server.listeners("connection");
  server.removeAllListeners("connection").on("connection", (socket: Socket) => {
    const address = peerOf(socket);
    const visitor = visitorAt(address);
    const count = counts.get(visitor) ?? 0;
    if (count >= mostOfAddress && !isInNetworks(trustedProxies, address)) {
      socket.destroy();
      warn(ADDRESS_FULL, count, () => visitor);
      return;
    }
    counts.set(visitor, count + 1);
    socket.once("close", () => leave(visitor));
    begin?.call(server, socket);
  });
  server.maxConnections = most;
  const findFullest = () => [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
  server.on("drop", () => warn(SERVER_FULL, most, findFullest));
}
