import {
  createServer,
  ServerResponse,
  type IncomingMessage,
  type Server,
  type ServerOptions,
} from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { Socket } from "node:net";

/** A certificate and its key, both PEM. */
export interface Certificate {
  cert: Buffer;
  key: Buffer;
}

/** Node exchanges the two limits if a whole request may take less time than its headers. */
const LIMITS: ServerOptions = {
  headersTimeout: 15_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 1000,
  keepAliveTimeout: 72_000,
};

/** An HTTP server, with or without TLS, that cuts clients which take too long to send. */
export function createLimitedServer(tls?: Certificate): Server {
  // Node answers requests without a Host header by itself.
  const options = { ...LIMITS, requireHostHeader: false };
  const secure = { ...tls, ...options, handshakeTimeout: LIMITS.headersTimeout };
  const server: Server = tls ? createSecureServer(secure) : createServer(options);
  // Node would drop all headers after the 1,000th or so; `maxHeaderSize` bounds them.
  server.maxHeadersCount = 0;
  // What answers unreadable requests would wait for ever for the handshake.
  if (tls) server.on("tlsClientError", (_error, socket: Socket) => socket.destroy());
  return server;
}

/** Node drops CONNECT requests and answers Expect by itself; this passes both on like any other request. */
export function takeOverFromNode(server: Server): void {
  const handle = (request: IncomingMessage, response: ServerResponse) =>
    server.emit("request", request, response);
  server.on("checkContinue", handle);
  server.on("checkExpectation", handle);
  server.on("connect", (request: IncomingMessage, socket: Socket) => {
    // Node has removed its own listeners; without one, an error would end the process.
    socket.on("error", () => socket.destroy()).resume();
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    try {
      response.assignSocket(socket);
    } catch {
      // CONNECT was pipelined behind an unanswered request, which no client that wants a tunnel does.
      socket.destroy();
      return;
    }
    response.once("finish", () => socket.destroySoon());
    handle(request, response);
  });
}

/** True for a request that another server could take for one to another host (RFC 9112, section 3.2). */
export const hasSeveralHosts = ({ rawHeaders }: IncomingMessage): boolean =>
  rawHeaders.filter((text, index) => index % 2 === 0 && /^host$/i.test(text)).length > 1;

const isDecodable = (path: string) => {
  try {
    decodeURI(path);
    return true;
  } catch {
    return false;
  }
};

/**
 * Rewrites the request's target to a path that the router can parse: drops the host that a proxy's client includes,
 * and takes a path with broken escapes literally. `*` and `host:port` are not paths and only programs send them, so
 * they are put below `api`. Without this the router would answer by itself, before authentication.
 */
export function readTarget({ url = "" }: IncomingMessage, api: string): string {
  const target = url.replace(/^https?:\/\/[^/?#]*\/?/i, "/");
  const rooted = target.startsWith("/") ? target : `${api}/${target}`;
  const [path = ""] = rooted.split(/[?#]/, 1);
  return isDecodable(path) ? rooted : rooted.replaceAll("%", "%25");
}

/** What anybody may send as a body. */
export const MAX_BODY_BYTES = 16_384;

/** The bytes of the body that a request announces; Infinity for one that comes in chunks. */
export const announcedBytes = ({ headers }: IncomingMessage): number =>
  headers["transfer-encoding"] === undefined ? Number(headers["content-length"] ?? 0) : Infinity;

/** True if a request announced a body that has not arrived completely. */
export const isBodyUnread = (request: IncomingMessage): boolean =>
  !request.complete && announcedBytes(request) > 0;

/** True if the client waits for "100 Continue" before it sends the body. */
export const awaitsContinue = ({ headers, httpVersion }: IncomingMessage) =>
  httpVersion === "1.1" && /^100-continue$/i.test(headers.expect ?? "");

const LINGER_MS = 5000;
const ended = new WeakSet<Socket>();

/** True if the connection's last answer has been sent; whatever still arrives on it is not a request. */
export const isEnded = (socket: Socket) => ended.has(socket);

/**
 * Closes the connection after the answer that is about to be sent, but not before the client has received it. Closing
 * a socket with unread bytes resets the connection, and a client that is still sending would lose the answer; so
 * incoming bytes are discarded for up to 5 s.
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
