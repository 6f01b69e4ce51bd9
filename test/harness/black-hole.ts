import { connect, createServer, type Socket } from "node:net";
import { listen } from "./site.ts";

/** A way to a port of this machine that can lose every packet. */
export interface BlackHole {
  readonly port: number;
  /** How many connections there have been so far, and how many pass now. */
  accepted(): number;
  passing(): number;
  /** From now on nothing passes, in either direction, on any connection. */
  swallow(): void;
  /** Ends the connections on which something was lost, and lets later ones through. */
  restore(): void;
  close(): Promise<void>;
}

export async function startBlackHole(target: number): Promise<BlackHole> {
  const open = new Set<Socket>();
  let swallows = false;
  let accepted = 0;
  let passing = 0;
  const server = createServer((near) => {
    accepted++;
    if (swallows) return;
    passing++;
    near.on("close", () => passing--);
    const far = connect(target, "127.0.0.1");
    open.add(far);
    far.on("error", () => near.destroy());
    far.on("close", () => near.destroy());
    near.on("close", () => far.destroy());
    near.pipe(far).pipe(near);
  });
  const port = await listen(server, open);
  const cut = () => {
    for (const socket of open) socket.destroy();
    open.clear();
  };
  return {
    port,
    accepted: () => accepted,
    passing: () => passing,
    swallow() {
      swallows = true;
      for (const socket of open) socket.unpipe();
    },
    restore() {
      swallows = false;
      cut();
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      cut();
      await closed;
    },
  };
}
