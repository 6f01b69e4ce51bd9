import { createServer, type Server, type TLSSocket } from "node:tls";
import { connect, createServer as createTcpServer, type Socket } from "node:net";
import { getAuthority, listen } from "../harness/site.ts";

export interface Request {
  method: string;
  path: string;
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

/** Speaks TLS, and whatever its answer writes instead of HTTP. */
export async function startHostileSite(
  answer: Answer,
  hosts: readonly string[] = ["127.0.0.1"],
): Promise<HostileSite> {
  const issued = await (await getAuthority()).issue({ hosts });
  const requests: Request[] = [];
  const server = createServer({ ...issued, ALPNProtocols: ["http/1.1"] }, (socket) => {
    let head = "";
    socket.on("error", () => socket.destroy());
    socket.on("data", (bytes) => {
      head += bytes.toString("latin1");
      const end = head.indexOf("\r\n\r\n");
      if (end < 0) return;
      const [method = "", path = ""] = head.split(" ", 2);
      head = head.slice(end + 4);
      requests.push({ method, path });
      answer(socket, { method, path });
    });
  });
  return serve(server, requests);
}

/** What the network lets through of the connection to a server behind it; `server` counts its bytes. */
export type Passage = (visitor: Socket, behind: Socket) => void;

/** Stands before an honest site and lets through what it likes, byte by byte. */
export async function startHostileNetwork(behindPort: number, pass: Passage): Promise<HostileSite> {
  const server = createTcpServer((visitor) => {
    const behind = connect(behindPort, "127.0.0.1");
    for (const socket of [visitor, behind]) socket.on("error", () => socket.destroy());
    visitor.on("close", () => behind.destroy());
    visitor.pipe(behind, { end: false });
    pass(visitor, behind);
  });
  return serve(server, []);
}

async function serve(server: Server, requests: Request[]): Promise<HostileSite>;
async function serve(
  server: ReturnType<typeof createTcpServer>,
  requests: Request[],
): Promise<HostileSite>;
async function serve(
  server: ReturnType<typeof createTcpServer>,
  requests: Request[],
): Promise<HostileSite> {
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
