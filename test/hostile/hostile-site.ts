import {
  connect,
  createServer as createTcpServer,
  type Server as TcpServer,
  type Socket,
} from "node:net";
import { createServer, type SecureContextOptions, type TLSSocket } from "node:tls";
import type { Order } from "../harness/certificates.ts";
import { getAuthority, listen } from "../harness/site.ts";

export interface Request {
  method: string;
  path: string;
  /** The head of the request, without its last line break. */
  head: string;
  /** Breaks the connection off as a crashed machine would. */
  reset: () => void;
}

/** Answers one request with whatever bytes it likes. */
export type Answer = (socket: TLSSocket, request: Request) => void;

export interface HostileSite {
  url: string;
  port: number;
  requests: Request[];
  /** The sockets that are open now. */
  open: ReadonlySet<Socket>;
  close(): Promise<void>;
}

/** A certificate, and PEM certificates that are sent after it. */
export interface Papers extends Partial<Order> {
  after?: string;
}

/** Speaks TLS, and whatever its answer writes instead of HTTP. */
export async function startHostileSite(
  answer: Answer,
  { after = "", ...order }: Papers = {},
  tls: SecureContextOptions = {},
): Promise<HostileSite> {
  const { cert, key } = await (await getAuthority()).issue({ hosts: ["127.0.0.1"], ...order });
  const requests: Request[] = [];
  const raw = new Map<number | undefined, Socket>();
  const server = createServer(
    { cert: cert + after, key, ALPNProtocols: ["http/1.1"], ...tls },
    (socket) => {
      let head = "";
      socket.on("error", () => socket.destroy());
      socket.on("data", (bytes) => {
        head += bytes.toString("latin1");
        const end = head.indexOf("\r\n\r\n");
        if (end < 0) return;
        const [method = "", path = ""] = head.split(" ", 2);
        const reset = () => void raw.get(socket.remotePort)?.resetAndDestroy();
        const request = { method, path, head: head.slice(0, end), reset };
        head = head.slice(end + 4);
        requests.push(request);
        answer(socket, request);
      });
    },
  );
  server.on("connection", (socket: Socket) => raw.set(socket.remotePort, socket));
  return serve(server, requests);
}

/** What gets through of each connection to a server: whole TLS records, part of the next, and then nothing more. */
export interface Cut {
  records: number;
  isPart: boolean;
  ending: "silence" | "end" | "reset";
}

/** Stands before another site and cuts each connection to it. */
export async function startCuttingNetwork(behind: HostileSite, cut: Cut): Promise<HostileSite> {
  const server = createTcpServer((visitor) => {
    const beyond = connect(behind.port, "127.0.0.1");
    for (const socket of [visitor, beyond]) socket.on("error", () => socket.destroy());
    visitor.on("close", () => beyond.destroy());
    visitor.pipe(beyond);
    let read = Buffer.alloc(0);
    let left = cut.records;

    beyond.on("data", (bytes) => {
      read = Buffer.concat([read, bytes]);
      for (; left > 0 && isWhole(read); left--) pass(recordBytes(read));
      if (left > 0 || !isWhole(read)) return;
      if (cut.isPart) pass(Math.floor(recordBytes(read) / 2));
      beyond.removeAllListeners("data").resume();
      if (cut.ending === "end") visitor.end();
      if (cut.ending === "reset") visitor.resetAndDestroy();
    });

    function pass(count: number): void {
      visitor.write(read.subarray(0, count));
      read = read.subarray(count);
    }
  });
  return serve(server, []);
}

const RECORD_HEAD_BYTES = 5;

function recordBytes(bytes: Buffer): number {
  return RECORD_HEAD_BYTES + bytes.readUInt16BE(RECORD_HEAD_BYTES - 2);
}

function isWhole(bytes: Buffer): boolean {
  return bytes.length >= RECORD_HEAD_BYTES && bytes.length >= recordBytes(bytes);
}

async function serve(server: TcpServer, requests: Request[]): Promise<HostileSite> {
  const open = new Set<Socket>();
  const port = await listen(server, open);
  return {
    url: `https://127.0.0.1:${port}/`,
    port,
    requests,
    open,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
