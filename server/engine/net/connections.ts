import { Client } from "undici";
import { MAX_CONNECTIONS } from "../../base/bounds.ts";
import type { Connection } from "./dial.ts";
import type { Target } from "./guard.ts";

/**
 * undici keeps a buffer for each name and value, of headers and trailers alike, so a higher limit would cost 40 MB. A
 * longer head is left to the reader that is tried next.
 */
const MAX_FIELD_BYTES = 131_072;

export interface HttpConnection {
  client: Client;
  connection: Connection;
  origin: string;
}

export interface Permit {
  idle: HttpConnection | null;
  /** The caller passes the connection only if another request may use it. */
  release(connection?: HttpConnection): void;
}

export interface Connections {
  /** With `isFresh`, the permit contains no idle connection. Rejects when the signal aborts. */
  acquire(target: Target, signal: AbortSignal, isFresh?: boolean): Promise<Permit>;
  /** A connection in use closes when its permit is released. */
  close(): void;
  /** The origins whose answers the strict parser refused. */
  oddOrigins: Set<string>;
  /** By origin: whether the server would speak HTTP/2 with a browser. */
  http2Offers: Map<string, Promise<boolean>>;
}

interface HostConnections {
  taken: number;
  idle: HttpConnection[];
  waiting: Set<() => void>;
}

/** undici's timers are off, because the request's signal ends the request. */
export function openHttpConnection(connection: Connection, origin: string): HttpConnection {
  let isHandedOut = false;
  const client = new Client(origin, {
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_FIELD_BYTES,
    connect(_options, callback) {
      const isGone = isHandedOut;
      isHandedOut = true;
      // undici would never send the request if the callback ran within this call.
      queueMicrotask(() => {
        if (isGone) callback(new Error("the connection is gone"), null);
        else callback(null, connection.socket);
      });
    },
  });
  return { client, connection, origin };
}

/** All connections share one error, because each new error would collect a stack trace that nobody reads. */
const CLOSED = new Error("the connection was closed");

/**
 * Passes an error, because undici otherwise treats the closed socket as the end of a response and fails an assertion.
 */
export function closeConnection({ client, connection }: HttpConnection): void {
  void client.destroy(CLOSED).catch(() => undefined);
  connection.socket.destroy(CLOSED);
}

export function openConnections(): Connections {
  const connections = new Map<string, HostConnections>();
  let isClosed = false;

  function connectionsTo(host: string): HostConnections {
    const known = connections.get(host) ?? { taken: 0, idle: [], waiting: new Set() };
    connections.set(host, known);
    return known;
  }

  function createPermit(host: HostConnections, idle: HttpConnection | null): Permit {
    let isTaken = true;
    return {
      idle,
      release(used) {
        if (!isTaken) return;
        isTaken = false;
        const isReusable = used && !isClosed && !used.connection.socket.destroyed;
        if (isReusable) host.idle.push(used);
        else host.taken--;
        if (used && !isReusable) closeConnection(used);
        const [next] = host.waiting;
        next?.();
      },
    };
  }

  function findPermit(host: HostConnections, origin: string | null): Permit | undefined {
    host.idle = host.idle.filter((idle) => {
      if (!idle.connection.socket.destroyed) return true;
      closeConnection(idle);
      host.taken--;
      return false;
    });
    const index = host.idle.findIndex((idle) => idle.origin === origin);
    if (index >= 0) return createPermit(host, host.idle.splice(index, 1)[0] ?? null);
    if (host.taken >= MAX_CONNECTIONS) {
      const other = host.idle.shift();
      if (!other) return undefined;
      closeConnection(other);
      host.taken--;
    }
    host.taken++;
    return createPermit(host, null);
  }

  return {
    async acquire(target, signal, isFresh = false) {
      const host = connectionsTo(target.host);
      for (;;) {
        signal.throwIfAborted();
        const permit = findPermit(host, isFresh ? null : target.url.origin);
        if (permit) return permit;
        await waitForTurn(host, signal);
      }
    },
    close() {
      isClosed = true;
      for (const { idle } of connections.values()) idle.splice(0).forEach(closeConnection);
    },
    oddOrigins: new Set(),
    http2Offers: new Map(),
  };
}

function waitForTurn(host: HostConnections, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      host.waiting.delete(wake);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    host.waiting.add(wake);
    signal.addEventListener("abort", wake, { once: true });
  });
}
