import { connect, createServer, type Socket } from "node:net";
import { listen } from "./site.ts";

export type Side = "client" | "server";

/** A TCP proxy on loopback that can become a black hole, lose data, or cut a connection at any byte. */
export interface Proxy {
  readonly port: number;
  /** The target's URL through the proxy. */
  readonly url: string;
  /** The number of connections so far. `passing` returns how many of them pass data now. */
  accepted(): number;
  passing(): number;
  /** Makes connections hang without an error. Existing ones hang forever, new ones until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Closes the next connection once `side` has sent this many bytes. The other side still receives these bytes. */
  cutNext(side: Side, afterBytes: number): void;
  /** Records what each side sends over the next connection. */
  recordNext(): Readonly<Record<Side, Buffer[]>>;
  /** Resolves when a client sends bytes with this text. From then on, drops everything that `side` sends on that client's connection. */
  lose(side: Side, text: string): Promise<void>;
  lead(to: string): void;
  cutAll(): void;
  /** Closes every connection, including new ones, until `restore`. */
  cut(): void;
  restore(): void;
  close(): Promise<void>;
}

export async function startProxy(target: string): Promise<Proxy> {
  let address = new URL(target);
  const sockets = new Set<Socket>();
  const silenced = new WeakSet<Socket>();
  const losses = new Set<{ side: Side; text: string; tell: () => void }>();
  let state: "open" | "frozen" | "cut" = "open";
  let next: { cut?: { side: Side; afterBytes: number }; record?: Record<Side, Buffer[]> } = {};
  let accepted = 0;
  let passing = 0;
  const server = createServer({ noDelay: true }, (client) => {
    const { cut, record } = next;
    next = {};
    accepted++;
    if (state === "cut") client.destroy();
    if (state !== "open") return;
    passing++;
    client.on("close", () => passing--);
    const upstream = connect({
      host: address.hostname,
      port: Number(address.port),
      noDelay: true,
    });
    sockets.add(upstream);
    upstream.on("close", () => sockets.delete(upstream));
    upstream.on("error", () => upstream.destroy());
    const lost = { client: false, server: false };
    let tail = "";
    const dropData = (chunk: Buffer) => {
      tail = tail.slice(-1000) + chunk.toString("latin1");
      for (const loss of losses) {
        if (!tail.includes(loss.text)) continue;
        lost[loss.side] = true;
        losses.delete(loss);
        loss.tell();
      }
    };
    const forward = (side: Side, from: Socket, to: Socket) => {
      let leftBytes = cut?.side === side ? cut.afterBytes : Infinity;
      from.on("data", (chunk: Buffer) => {
        record?.[side].push(chunk);
        if (side === "client") dropData(chunk);
        if (lost[side]) return;
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
  const port = await listen(server, sockets);
  const cutAll = () => sockets.forEach((socket) => socket.destroy());
  return {
    port,
    url: target.replace(`:${address.port}`, `:${port}`),
    accepted: () => accepted,
    passing: () => passing,
    freeze() {
      state = "frozen";
      for (const socket of sockets) silenced.add(socket.pause());
    },
    thaw: () => void (state = "open"),
    cutNext: (side, afterBytes) => void (next.cut = { side, afterBytes }),
    recordNext: () => (next.record = { client: [], server: [] }),
    lose: (side, text) => new Promise((tell) => losses.add({ side, text, tell })),
    lead: (to) => void (address = new URL(to)),
    cutAll,
    cut() {
      state = "cut";
      cutAll();
    },
    restore() {
      state = "open";
      cutAll();
    },
    async close() {
      cutAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
