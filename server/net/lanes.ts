import { Client } from "undici";
import type { Connection } from "./dial.ts";
import type { Target } from "./guard.ts";

const MAX_CONNECTIONS = 6;
const MAX_HEADER_BYTES = 65_536;

/** A connection that takes one request at a time. */
export interface Line {
  client: Client;
  connection: Connection;
  origin: string;
}

/** The right to one connection to a host; `line` is one that lies idle, to be used before a new one is opened. */
export interface Seat {
  line: Line | null;
  /** Gives the seat back, with a line that may be used again or without. */
  leave(line?: Line): void;
}

/** The connections of one check, at most 6 a host at once. */
export interface Lanes {
  /** Waits for a seat; `isFresh` asks for one without a line. Rejects when the signal aborts. */
  enter(target: Target, signal: AbortSignal, isFresh?: boolean): Promise<Seat>;
  /** Closes what lies idle now, and the rest as it is given back. */
  close(): void;
}

interface Lane {
  taken: number;
  idle: Line[];
  waiting: Set<() => void>;
}

/** HTTP/1.1 over one connection, without pipelining; undici's own timers are off, the request's signal ends it. */
export function openLine(connection: Connection, origin: string): Line {
  let isHandedOut = false;
  const client = new Client(origin, {
    pipelining: 1,
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: MAX_HEADER_BYTES,
    connect(_options, callback) {
      const isGone = isHandedOut;
      isHandedOut = true;
      // A callback within the call itself is lost: undici would never send the request.
      queueMicrotask(() => {
        if (isGone) callback(new Error("the connection is gone"), null);
        else callback(null, connection.socket);
      });
    },
  });
  return { client, connection, origin };
}

/** Ends it with an error: undici takes a socket that closes without one for the end of its answer, and asserts. */
export function closeLine({ client, connection }: Line): void {
  const closed = new Error("the connection was closed");
  void client.destroy(closed).catch(() => undefined);
  connection.socket.destroy(closed);
}

export function openLanes(): Lanes {
  const lanes = new Map<string, Lane>();
  let isClosed = false;

  function laneOf(host: string): Lane {
    const lane = lanes.get(host) ?? { taken: 0, idle: [], waiting: new Set() };
    lanes.set(host, lane);
    return lane;
  }

  function seatIn(lane: Lane, line: Line | null): Seat {
    let isTaken = true;
    return {
      line,
      leave(used) {
        if (!isTaken) return;
        isTaken = false;
        const isReusable = used && !isClosed && !used.connection.socket.destroyed;
        if (isReusable) lane.idle.push(used);
        else lane.taken--;
        if (used && !isReusable) closeLine(used);
        const [next] = lane.waiting;
        next?.();
      },
    };
  }

  /** An idle line to the origin; else a free place, made by closing an idle line to another if need be. */
  function findSeat(lane: Lane, origin: string | null): Seat | undefined {
    lane.idle = lane.idle.filter((line) => {
      if (!line.connection.socket.destroyed) return true;
      closeLine(line);
      lane.taken--;
      return false;
    });
    const index = lane.idle.findIndex((line) => line.origin === origin);
    if (index >= 0) return seatIn(lane, lane.idle.splice(index, 1)[0] ?? null);
    if (lane.taken >= MAX_CONNECTIONS) {
      const other = lane.idle.shift();
      if (!other) return undefined;
      closeLine(other);
      lane.taken--;
    }
    lane.taken++;
    return seatIn(lane, null);
  }

  return {
    async enter(target, signal, isFresh = false) {
      const lane = laneOf(target.host);
      for (;;) {
        signal.throwIfAborted();
        const seat = findSeat(lane, isFresh ? null : target.url.origin);
        if (seat) return seat;
        await nextTurn(lane, signal);
      }
    },
    close() {
      isClosed = true;
      for (const { idle } of lanes.values()) idle.splice(0).forEach(closeLine);
    },
  };
}

function nextTurn(lane: Lane, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const wake = (): void => {
      lane.waiting.delete(wake);
      signal.removeEventListener("abort", wake);
      resolve();
    };
    lane.waiting.add(wake);
    signal.addEventListener("abort", wake, { once: true });
  });
}
