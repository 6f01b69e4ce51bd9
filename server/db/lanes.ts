import { ConnectionLost } from "./failure.ts";
import type { End, Lane, LaneOptions } from "./lane.ts";

/** Beside others, or alone: what may wait for a lock, and what is more than one statement, has a lane to itself. */
export type Use = "shared" | "alone";

/** Of one who asks; its time may be over while it waits. */
export interface Turn {
  isOver: boolean;
  /** Gives up waiting for a lane; set while it does. */
  leave?: (() => void) | undefined;
}

/** Connections that are opened when they are needed, up to a number. */
export interface Lanes {
  /** The least busy lane, or the next that is free. Throws `ConnectionLost` when none can be opened. */
  take(use: Use, turn: Turn): Lane | Promise<Lane>;
  release(lane: Lane, use: Use): void;
  /** Drops those that have had nothing to say since `time`, and so may be as dead as one that was given up. */
  dropIdle(time: number): void;
  close(): Promise<void>;
}

interface Waiter {
  resolve(lane: Lane): void;
  reject(error: ConnectionLost): void;
}

/** A server that refuses is not asked more often, however many ask here. */
const REOPEN_MS = 200;

export function createLanes(
  size: number,
  openLane: (events: Pick<LaneOptions, "onOpen" | "onEnd">) => Lane,
): Lanes {
  const lanes = new Set<Lane>();
  const waiting: Record<Use, Set<Waiter>> = { shared: new Set(), alone: new Set() };
  let refusal = { why: "", until: 0 };

  function open(): void {
    if (lanes.size === size) return;
    if (performance.now() >= refusal.until) lanes.add(openLane({ onOpen: serve, onEnd }));
    else if (lanes.size === 0) refuse();
  }

  function onEnd(lane: Lane, { how, why }: End): void {
    lanes.delete(lane);
    if (how === "refused") refusal = { why, until: performance.now() + REOPEN_MS };
    if (waiting.shared.size + waiting.alone.size > 0) open();
  }

  function refuse(): void {
    for (const waiters of [waiting.shared, waiting.alone]) {
      for (const waiter of waiters) waiter.reject(new ConnectionLost(refusal.why));
      waiters.clear();
    }
  }

  function pick(use: Use): Lane | undefined {
    let best: Lane | undefined;
    for (const lane of lanes) {
      if (!lane.isOpen || lane.isTaken) continue;
      if (best === undefined || lane.pending < best.pending) best = lane;
    }
    if (best !== undefined && use === "alone") best.isTaken = true;
    return best;
  }

  function serve(): void {
    for (const use of ["shared", "alone"] as const) {
      for (const waiter of waiting[use]) {
        const lane = pick(use);
        if (lane === undefined) break;
        waiting[use].delete(waiter);
        waiter.resolve(lane);
      }
    }
  }

  return {
    take(use, turn) {
      const lane = pick(use);
      if (lane !== undefined) {
        if (lane.pending > 0) open();
        return lane;
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
    release(lane, use) {
      if (use === "alone") lane.isTaken = false;
      serve();
    },
    dropIdle(time) {
      for (const lane of lanes) {
        if (lane.pending === 0 && !lane.isTaken && lane.quietSince < time)
          lane.drop("closed", "as quiet as one that was dead");
      }
    },
    async close() {
      refusal = { why: "the database is closed", until: Infinity };
      await Promise.all([...lanes].map((lane) => lane.close()));
    },
  };
}
