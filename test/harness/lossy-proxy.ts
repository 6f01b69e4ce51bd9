import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A TCP proxy on loopback that loses data on request. */
export interface LossyProxy {
  readonly port: number;
  /**
   * Resolves when a client sends bytes that contain this text. From then on, nothing on that connection reaches the
   * server (`question`) or the client (`answer`).
   */
  lose(what: "question" | "answer", text: string): Promise<void>;
  /** Cuts every connection, including new ones, until `restore`. */
  cut(): void;
  /** Cuts every connection and lets new ones through. */
  restore(): void;
  close(): Promise<void>;
}

export async function startLossyProxy(target: { host: string; port: number }): Promise<LossyProxy> {
  const sockets = new Set<Socket>();
  const losses = new Set<{ what: "question" | "answer"; text: string; tell: () => void }>();
  let isCut = false;

  const cutAll = () => sockets.forEach((socket) => socket.destroy());
  const keep = (socket: Socket, peer: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      sockets.delete(socket);
      peer.destroy();
    });
  };
  const server = createServer((downstream) => {
    if (isCut) {
      downstream.destroy();
      return;
    }
    const upstream = connect(target.port, target.host);
    keep(downstream, upstream);
    keep(upstream, downstream);
    const lost = { question: false, answer: false };
    let tail = "";
    downstream.on("data", (chunk: Buffer) => {
      tail = tail.slice(-1000) + chunk.toString("latin1");
      for (const loss of losses) {
        if (!tail.includes(loss.text)) continue;
        lost[loss.what] = true;
        losses.delete(loss);
        loss.tell();
      }
      if (!lost.question) upstream.write(chunk);
    });
    upstream.on("data", (chunk: Buffer) => {
      if (!lost.answer) downstream.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    lose: (what, text) => new Promise((tell) => losses.add({ what, text, tell })),
    cut() {
      isCut = true;
      cutAll();
    },
    restore() {
      isCut = false;
      cutAll();
    },
    async close() {
      cutAll();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
