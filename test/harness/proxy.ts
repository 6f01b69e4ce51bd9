import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A TCP proxy on loopback that can turn into a black hole: it goes on accepting and forwards nothing. */
export interface Proxy {
  readonly port: number;
  /** Existing connections stay open and silent for ever, new ones too until `thaw`. */
  freeze(): void;
  thaw(): void;
  close(): Promise<void>;
}

export async function startProxy(target: { host: string; port: number }): Promise<Proxy> {
  const sockets = new Set<Socket>();
  let frozen = false;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  };
  const server = createServer((downstream) => {
    keep(downstream);
    if (frozen) return;
    const upstream = connect(target.port, target.host);
    keep(upstream);
    downstream.pipe(upstream).pipe(downstream);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    freeze() {
      frozen = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    thaw() {
      frozen = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
