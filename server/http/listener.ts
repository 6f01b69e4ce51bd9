import { unwatchFile, watchFile } from "node:fs";
import { readFile } from "node:fs/promises";
import { lookup } from "node:dns/promises";
import {
  createServer,
  ServerResponse,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerOptions,
} from "node:http";
import { createServer as createSecureServer } from "node:https";
import { BlockList, isIP, type AddressInfo, type Server as NetServer, type Socket } from "node:net";
import { createSecureContext, type Server as TlsServer } from "node:tls";
import type { Config } from "../config.ts";
import type { Deps, ProcessDeps } from "../deps.ts";
import { AppError } from "../base/errors.ts";
import { isInNetworks, type Networks } from "../engine/net/address.ts";
import { peerOf, visitorAt } from "./visitor.ts";

export interface Certificate {
  cert: Buffer;
  key: Buffer;
}

/** Node swaps the two limits if a whole request may take less time than its headers. */
const LIMITS: ServerOptions = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 72_000,
};
/** The idle timeout of a connection. Event streams send something every 15 s. */
const IDLE_MS = 60_000;
const MAX_REQUESTS = 1000;

export function createLimitedServer(tls?: Certificate): Server {
  // With `requireHostHeader`, Node would answer requests without a Host header by itself.
  const options = { ...LIMITS, requireHostHeader: false };
  const secure = { ...tls, ...options, handshakeTimeout: LIMITS.headersTimeout };
  const server: Server = tls ? createSecureServer(secure) : createServer(options);
  // By default Node drops all headers after about the 1,000th. `maxHeaderSize` limits them instead.
  server.maxHeadersCount = 0;
  server.timeout = IDLE_MS;
  server.maxRequestsPerSocket = MAX_REQUESTS;
  // The last answer has already closed the connection. Only a client that pipelines sends another request.
  server.on("dropRequest", (_request: IncomingMessage, socket: Socket) => socket.destroy());
  // Destroys the socket here, because the handler of unreadable requests would wait forever for the handshake.
  if (tls) server.on("tlsClientError", (_error, socket: Socket) => socket.destroy());
  return server;
}

/** Node drops CONNECT requests and answers Expect by itself. This function handles both like any other request. */
export function handleConnectAndExpect(server: Server): void {
  const handle = (request: IncomingMessage, response: ServerResponse) =>
    server.emit("request", request, response);
  server.on("checkContinue", handle);
  server.on("checkExpectation", handle);
  server.on("connect", (request: IncomingMessage, socket: Socket) => {
    // Node has removed its own listeners. Without a listener, an error would end the process.
    socket.on("error", () => socket.destroy()).resume();
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    try {
      response.assignSocket(socket);
    } catch {
      // CONNECT was pipelined behind an unanswered request. No client that wants a tunnel does this.
      socket.destroy();
      return;
    }
    response.once("finish", () => socket.destroySoon());
    handle(request, response);
  });
}

/** Browsers send the next request of a connection only after the previous answer. */
const MAX_UNANSWERED = 16;

type Queues = Map<Socket, ServerResponse[]>;
const queuesOf = new WeakMap<Server, Queues>();

export const listUnanswered = (server: Server): ServerResponse[] =>
  [...(queuesOf.get(server)?.values() ?? [])].flat();

/**
 * Uses a private field of Node, because parsing a flood to its end takes five times the memory. The value 2 stops the parser, as Node does
 * for CONNECT.
 */
function stopParsing(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming?: () => number } | null };
  if (parser?.onIncoming) parser.onIncoming = () => 2;
}

/** Answers are sent in order, so requests are handled one at a time. A 17th unanswered request closes the connection. */
export function handleRequests(
  server: Server,
  handle: RequestListener,
  log: Pick<Deps["log"], "info">,
): void {
  const queues: Queues = new Map();
  queuesOf.set(server, queues);

  function openQueue(socket: Socket): ServerResponse[] {
    const queue: ServerResponse[] = [];
    queues.set(socket, queue);
    socket.once("close", () => queues.delete(socket));
    return queue;
  }

  server.on("request", (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const queue = queues.get(socket) ?? openQueue(socket);
    if (queue.length === MAX_UNANSWERED) {
      log.info(
        { address: socket.remoteAddress, unanswered: MAX_UNANSWERED },
        "a connection was ended: too many of its requests were unanswered",
      );
      socket.destroy();
      stopParsing(socket);
      return;
    }
    queue.push(response);
    response.once("close", () => {
      queue.shift();
      const [next] = queue;
      // Deferred, so that other connections get their turn.
      if (next) setImmediate(() => socket.destroyed || handle(next.req, next));
    });
    if (queue.length === 1) handle(request, response);
  });
}

const LINGER_MS = 5000;
const ended = new WeakSet<Socket>();

/** Data that arrives after the last answer is not a request. */
export const isEnded = (socket: Socket) => ended.has(socket);

/**
 * Closes the connection after the pending answer, once the client has received it. Closing a socket with unread bytes resets the
 * connection, and a client that is still sending would lose the answer. Therefore incoming bytes are discarded for up to 5 s.
 */
export function endAfterAnswer(response: ServerResponse, socket: Socket): void {
  response.setHeader("connection", "close");
  ended.add(socket);
  socket.destroySoon = () => {
    socket.end();
    const timer = setTimeout(() => socket.destroy(), LINGER_MS);
    socket.once("close", () => clearTimeout(timer));
  };
}

const DRAIN_IDLE_MS = 1000;
const POLL_MS = 50;

/**
 * Once `stopping` aborts, running requests get a 503. Idle connections close immediately, the others one second after their last answer.
 * Node's own `close` would wait for both kinds.
 */
export async function drainConnections(server: Server, stopping: AbortSignal): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const response of listUnanswered(server)) {
    if (!response.headersSent) response.setHeader("connection", "close");
  }
  let waitedAt = performance.now();
  const polling = setInterval(() => {
    const isServing = !stopping.aborted && listUnanswered(server).some(({ req }) => req.complete);
    if (isServing) waitedAt = performance.now();
    else if (performance.now() - waitedAt > DRAIN_IDLE_MS) server.closeAllConnections();
    server.closeIdleConnections();
  }, POLL_MS);
  server.closeIdleConnections();
  await closed;
  clearInterval(polling);
}

/** Applies to a system without a limit. It is the value that systemd's unit and compose.yaml set. */
const DEFAULT_FILES = 8192;
const MIN_PER_ADDRESS = 64;
const QUIET_MS = 60_000;

const ADDRESS_FULL =
  "connections are refused: this address has reached its limit. If it is your proxy's, add it to SHIPSCORE_TRUSTED_PROXIES; otherwise block it";
const SERVER_FULL =
  "connections are refused: half of the files that this process may open are connections. Raise that limit (LimitNOFILE, nofile, ulimit -n), or block this address, which has the most";

let fileLimit: number | undefined;

export function fileLimitOf(report: object): number {
  const { userLimits } = report as { userLimits?: { open_files?: { soft: unknown } } };
  const soft = userLimits?.open_files?.soft;
  return typeof soft === "number" ? soft : DEFAULT_FILES;
}

/** Node's process report waits for all threads, so make the first call before any thread starts. */
export function readFileLimit(): number {
  // Without this option, Node resolves the names of all connected addresses.
  if (process.report) Object.assign(process.report, { excludeNetwork: true });
  fileLimit ??= fileLimitOf(process.report?.getReport() ?? {});
  return fileLimit;
}

interface LimitOptions {
  files: number;
  /** Connections of these proxies count only towards the total. */
  trustedProxies: Networks;
  log: { warn(line: object, why: string): void };
}

/** Connections get half of the files; the other half is for the database, visits and the log. Call this before the server listens. */
export function limitConnections(server: NetServer, { files, trustedProxies, log }: LimitOptions) {
  const most = Math.floor(files / 2);
  const mostOfAddress = Math.max(MIN_PER_ADDRESS, Math.floor(most / 4));
  const counts = new Map<string, number>();
  const warnedAt = new Map<string, number>();

  function warn(why: string, connections: number, findAddress: () => string | undefined): void {
    const now = performance.now();
    if (now - (warnedAt.get(why) ?? -Infinity) < QUIET_MS) return;
    warnedAt.set(why, now);
    log.warn({ address: findAddress(), connections, files }, why);
  }

  function leave(visitor: string): void {
    const left = (counts.get(visitor) ?? 0) - 1;
    if (left > 0) counts.set(visitor, left);
    else counts.delete(visitor);
  }

  // Node's listener would start HTTP or TLS on a closed connection.
  const [begin] = server.listeners("connection");
  server.removeAllListeners("connection").on("connection", (socket: Socket) => {
    const address = peerOf(socket);
    const visitor = visitorAt(address);
    const count = counts.get(visitor) ?? 0;
    if (count >= mostOfAddress && !isInNetworks(trustedProxies, address)) {
      socket.destroy();
      warn(ADDRESS_FULL, count, () => visitor);
      return;
    }
    counts.set(visitor, count + 1);
    socket.once("close", () => leave(visitor));
    begin?.call(server, socket);
  });
  server.maxConnections = most;
  const findFullest = () => [...counts].toSorted(([, one], [, other]) => other - one)[0]?.[0];
  server.on("drop", () => warn(SERVER_FULL, most, findFullest));
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

export const isLoopback = (address: string) =>
  loopback.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

/**
 * If a name such as `localhost` has several addresses, returns the first IPv4 address. The command tries that address first, and other
 * clients try it if nothing listens on ::1. Fastify would open a server for each address, the second without the handlers and limits of the
 * first.
 */
export async function chooseAddress(host: string, config: Config): Promise<string> {
  if (host === "") throw new AppError("host_empty", {});
  const { address } = await lookup(host, { order: "ipv4first" }).catch((error: unknown) => {
    throw new AppError("host_unknown", { host }, { cause: error });
  });
  if (isLoopback(address) || config.tls || config.behindTlsProxy) return address;
  throw new AppError("tokens_in_the_clear", { host });
}

/** For port 0, the system chooses a port. Throws `cannot_listen`. */
export async function listen(
  app: { server: Server; listen(at: { host: string; port: number }): Promise<unknown> },
  { host, port }: { host: string; port: number },
): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new AppError("cannot_listen", { host, port, reason }, { cause: error });
  }
  return (app.server.address() as AddressInfo).port;
}

type CertificateFiles = NonNullable<Config["tls"]>;

const CERTIFICATE_POLL_MS = 2000;

export async function readServerCertificate({ certFile, keyFile }: CertificateFiles) {
  try {
    const certificate: Certificate = {
      cert: await readFile(certFile),
      key: await readFile(keyFile),
    };
    createSecureContext(certificate);
    return certificate;
  } catch (error) {
    throw new AppError("tls_files_invalid", {}, { cause: error });
  }
}

/** Loads a renewed certificate without a restart; the old one stays if loading fails. The returned function stops this. */
export function followCertificate(
  server: TlsServer,
  files: CertificateFiles,
  { log }: ProcessDeps,
): () => void {
  const reload = () => {
    readServerCertificate(files)
      .then((certificate) => server.setSecureContext(certificate))
      .then(() => log.info("certificate reloaded"))
      .catch((error: unknown) =>
        log.error({ err: error }, "certificate not reloaded; the old one stays"),
      );
  };
  const paths = [files.certFile, files.keyFile];
  for (const path of paths) watchFile(path, { interval: CERTIFICATE_POLL_MS }, reload).unref();
  return () => paths.forEach((path) => unwatchFile(path, reload));
}
