import {
  createServer as createPlainServer,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import { createServer, type ServerOptions } from "node:https";
import type { Server, Socket } from "node:net";
import { createAuthority, type Authority, type Issued, type Order } from "./certificates.ts";

/** An answer, or a function that writes one. The function may also break off, send slowly or never end. */
export type Route = Answer | ((request: IncomingMessage, response: ServerResponse) => void);

interface Answer {
  status?: number;
  headers?: Record<string, string | string[]>;
  body?: string | Buffer;
}

/** The answers by path. `*` matches all other paths, which by default return 404. */
export type Routes = Record<string, Route>;

export interface SiteOptions {
  /** The certificate authority. By default all sites of this process share one. */
  authority?: Authority;
  /** The SANs of the certificate. By default they are 127.0.0.1, ::1 and localhost. */
  hosts?: readonly string[];
  certificate?: Issued;
  order?: Omit<Order, "hosts">;
  tls?: ServerOptions;
  /** Returns the OCSP response for a handshake that asks for one. */
  staple?: () => Buffer | null;
  routes?: Routes;
  /** Answers over http, on `plainPort`. */
  plainRoutes?: Routes;
}

export interface Received {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  encrypted: boolean;
  /** The remote port. Two requests with the same port shared a connection. */
  connection: number;
}

export interface Site {
  /** `https://127.0.0.1:PORT/` */
  url: string;
  port: number;
  /** Null without `plainRoutes`. */
  plainPort: number | null;
  authority: Authority;
  requests: Received[];
  /** The number of connections accepted so far. `open` contains those that are still open. */
  accepted(): number;
  open: ReadonlySet<Socket>;
  close(): Promise<void>;
}

let shared: Promise<Authority> | undefined;

export function getAuthority(): Promise<Authority> {
  return (shared ??= createAuthority());
}

/** Serves routes over https on 127.0.0.1, and `plainRoutes` over http. */
export async function startSite(options: SiteOptions = {}): Promise<Site> {
  const authority = options.authority ?? (await getAuthority());
  const hosts = options.hosts ?? ["127.0.0.1", "::1", "localhost"];
  const certificate = options.certificate ?? (await authority.issue({ ...options.order, hosts }));
  const requests: Received[] = [];
  const server = createServer(
    { ...certificate, ...options.tls },
    answer(options.routes ?? {}, requests, true),
  );
  const { staple } = options;
  if (staple)
    server.on("OCSPRequest", (_certificate, _issuer, callback) => callback(null, staple()));
  const plain = options.plainRoutes
    ? createPlainServer(answer(options.plainRoutes, requests, false))
    : null;
  const open = new Set<Socket>();
  let accepted = 0;
  const servers = plain ? [server, plain] : [server];
  for (const each of servers) each.on("connection", () => accepted++);
  const port = await listen(server, open);
  const plainPort = plain && (await listen(plain, open));
  return {
    url: `https://127.0.0.1:${port}/`,
    port,
    plainPort,
    authority,
    requests,
    accepted: () => accepted,
    open,
    async close() {
      const closed = servers.map(stop);
      for (const socket of open) socket.destroy();
      await Promise.all(closed);
    },
  };
}

export async function findClosedPort(): Promise<number> {
  const server = createPlainServer();
  const port = await listen(server);
  await stop(server);
  return port;
}

function answer(routes: Routes, requests: Received[], encrypted: boolean) {
  return (request: IncomingMessage, response: ServerResponse) => {
    const { method = "", url = "", headers, socket } = request;
    requests.push({ method, url, headers, encrypted, connection: socket.remotePort ?? 0 });
    const route = routes[url] ?? routes["*"] ?? { status: 404, body: "Not found" };
    if (typeof route === "function") return route(request, response);
    response.writeHead(route.status ?? 200, route.headers);
    response.end(route.body);
  };
}

/** Listens on a free port of 127.0.0.1. From then on, `open` contains the server's sockets. */
export async function listen(
  server: Server,
  open = new Set<Socket>(),
  ownPort = 0,
): Promise<number> {
  server.on("connection", (socket: Socket) => {
    open.add(socket);
    socket.on("close", () => open.delete(socket));
    socket.on("error", () => socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(ownPort, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  return address.port;
}

function stop(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}
