import { connect, createServer, type AddressInfo, type Socket } from "node:net";

export type Side = "client" | "server";

/** A TCP proxy on loopback that can become a black hole or cut a connection at any byte. */
export interface Proxy {
  readonly port: number;
  /** Makes connections hang silently: existing ones for ever, new ones until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Closes the next connection once that side has sent this many bytes; the other side still receives them. */
  cutNext(side: Side, afterBytes: number): void;
  /** Records what each side sends over the next connection. */
  recordNext(): Readonly<Record<Side, Buffer[]>>;
  /** Closes all open connections. */
  cutAll(): void;
  close(): Promise<void>;
}

export async function startProxy(target: { host: string; port: number }): Promise<Proxy> {
  const sockets = new Set<Socket>();
  const silenced = new WeakSet<Socket>();
  let frozen = false;
  let next: { cut?: { side: Side; afterBytes: number }; record?: Record<Side, Buffer[]> } = {};
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
  };
  const server = createServer({ noDelay: true }, (client) => {
    const { cut, record } = next;
    next = {};
    keep(client);
    if (frozen) return;
    const upstream = connect({ ...target, noDelay: true });
    keep(upstream);
    const forward = (side: Side, from: Socket, to: Socket) => {
      let leftBytes = cut?.side === side ? cut.afterBytes : Infinity;
      from.on("data", (chunk: Buffer) => {
        record?.[side].push(chunk);
        to.write(chunk.subarray(0, Math.min(chunk.length, leftBytes)));
        leftBytes -= chunk.length;
        if (leftBytes > 0) return;
        from.destroy();
        to.end();
      });
      from.on("close", () => {
        if (!silenced.has(from)) to.end();
      });
    };
    forward("client", client, upstream);
    forward("server", upstream, client);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    freeze() {
      frozen = true;
      for (const socket of sockets) silenced.add(socket.pause());
    },
    thaw() {
      frozen = false;
    },
    cutNext(side, afterBytes) {
      next.cut = { side, afterBytes };
    },
    recordNext() {
      const record = { client: [], server: [] };
      next.record = record;
      return record;
    },
    cutAll() {
      for (const socket of sockets) socket.destroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
