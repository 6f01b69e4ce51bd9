import { connect, type Socket } from "node:net";
import postgres from "postgres";

/** A connection string, or the socket of an embedded database. */
export type DatabaseAddress = { url: string } | { socketPath: string };

/** One connection, made when first used and again when it breaks. */
export interface Connection {
  readonly client: postgres.Sql;
  /** Ends it at once, whatever runs, also when its server is silent. */
  drop(): void;
  close(): Promise<void>;
}

const EMBEDDED_URL = "postgres://postgres@localhost/postgres";
const RECONNECT_SECONDS = 0.2;
const CONNECT_TIMEOUT_SECONDS = 2;
const CLOSE_TIMEOUT_SECONDS = 2;

/** What postgres.js has parsed of a connection string; several hosts are tried in turn. */
interface Target {
  host: string[];
  port: number[];
  path: string | undefined;
}

/**
 * postgres.js ends a connection by asking its server to close it, and waits for ever on one that is silent: so the
 * socket is opened here, where it can be destroyed.
 */
export function openConnection(address: DatabaseAddress): Connection {
  let socket: Socket | undefined;
  let attempts = 0;
  const openSocket = ({ host: hosts, port: ports, path }: Target): Socket => {
    const index = attempts++ % hosts.length;
    const [host, port] = [hosts[index] ?? "", ports[index] ?? 0];
    socket = path ? connect(path) : connect(port, host);
    return Object.assign(socket, { host, port });
  };
  const settings = {
    ...("socketPath" in address && { path: address.socketPath }),
    max: 1,
    fetch_types: false,
    backoff: () => RECONNECT_SECONDS,
    connect_timeout: CONNECT_TIMEOUT_SECONDS,
    transform: { column: postgres.toCamel },
    onnotice: () => {},
    connection: { application_name: "shipscore" },
    socket: openSocket,
  };
  const client = postgres("url" in address ? address.url : EMBEDDED_URL, settings);
  return {
    client,
    drop() {
      void client.end({ timeout: 0 });
      socket?.destroy();
    },
    async close() {
      await client.end({ timeout: CLOSE_TIMEOUT_SECONDS });
      socket?.destroy();
    },
  };
}
