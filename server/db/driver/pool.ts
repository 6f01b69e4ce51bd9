import { ConnectionLost } from "./failure.ts";
import type { End, Connection, ConnectionOptions } from "./connection.ts";

/** `exclusive`: for transactions, and for statements that may wait for a lock. */
export type Use = "shared" | "exclusive";

/** A request for a connection; its deadline may pass while it is waiting. */
export interface Turn {
  isOver: boolean;
  /** Gives up waiting for a connection; set while waiting. */
  leave?: (() => void) | undefined;
}

/** Up to `size` connections, opened when they are needed. */
export interface Pool {
  /** The least busy connection, or the next one that becomes free. Throws `ConnectionLost` if none can be opened. */
  take(use: Use, turn: Turn): Connection | Promise<Connection>;
  release(connection: Connection, use: Use): void;
  /** Drops idle connections that have been silent since `time`: they may be as dead as the one just given up. */
  dropIdle(time: number): void;
  close(): Promise<void>;
}

interface Waiter {
  resolve(connection: Connection): void;
  reject(error: ConnectionLost): void;
}

/** After a refusal the server is not asked again for this long, however many queries are waiting. */
const REOPEN_MS = 200;

export function createPool(
  size: number,
  openConnection: (events: Pick<ConnectionOptions, "onOpen" | "onEnd">) => Connection,
): Pool {
  const connections = new Set<Connection>();
  const waiting: Record<Use, Set<Waiter>> = { shared: new Set(), exclusive: new Set() };
  let refusal = { why: "", until: 0 };

  function open(): void {
    if (connections.size === size) return;
    if (performance.now() >= refusal.until)
      connections.add(openConnection({ onOpen: serve, onEnd }));
    else if (connections.size === 0) refuse();
  }

  function onEnd(connection: Connection, { how, why }: End): void {
    connections.delete(connection);
    if (how === "refused") refusal = { why, until: performance.now() + REOPEN_MS };
    if (waiting.shared.size + waiting.exclusive.size > 0) open();
  }

  function refuse(): void {
    for (const waiters of [waiting.shared, waiting.exclusive]) {
      for (const waiter of waiters) waiter.reject(new ConnectionLost(refusal.why));
      waiters.clear();
    }
  }

  function pick(use: Use): Connection | undefined {
    let best: Connection | undefined;
    for (const connection of connections) {
      if (!connection.isOpen || connection.isTaken) continue;
      if (best === undefined || connection.pending < best.pending) best = connection;
    }
    if (best !== undefined && use === "exclusive") best.isTaken = true;
    return best;
  }

  function serve(): void {
    for (const use of ["shared", "exclusive"] as const) {
      for (const waiter of waiting[use]) {
        const connection = pick(use);
        if (connection === undefined) break;
        waiting[use].delete(waiter);
        waiter.resolve(connection);
      }
    }
  }

  return {
    take(use, turn) {
      const connection = pick(use);
      if (connection !== undefined) {
        if (connection.pending > 0) open();
        return connection;
      }
      return new Promise((resolve, reject) => {
        const waiter = { resolve, reject };
        waiting[use].add(waiter);
        turn.leave = () => {
          waiting[use].delete(waiter);
          reject(new ConnectionLost("no connection was free"));
        };
        open();
      });
    },
    release(connection, use) {
      if (use === "exclusive") connection.isTaken = false;
      serve();
    },
    dropIdle(time) {
      for (const connection of connections) {
        if (connection.pending === 0 && !connection.isTaken && connection.quietSince < time)
          connection.drop("closed", "as quiet as one that was dead");
      }
    },
    async close() {
      refusal = { why: "the database is closed", until: Infinity };
      await Promise.all([...connections].map((connection) => connection.close()));
    },
  };
}
