import { request as sendRequest, type IncomingMessage, type Server } from "node:http";
import {
  constants,
  createServer,
  type Http2Server,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from "node:http2";
import type { Socket } from "node:net";
import { duplexPair, finished, pipeline, type Duplex } from "node:stream";
import type { TLSSocket } from "node:tls";

const MAX_STREAMS = 100;
const IDLE_MS = 60_000;
/** How long a client may keep an idle session that was told to end, and a connection after its session. */
const LINGER_MS = 2000;

/** What HTTP/2 has no place for (RFC 9113, section 8.2.2). */
const OF_CONNECTIONS = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "transfer-encoding",
  "upgrade",
  "http2-settings",
  "te",
]);

type Listener = (this: Server, socket: Duplex) => void;
type Accept = (socket: Duplex) => void;

/**
 * Makes a server of HTTP/1.1 over TLS speak HTTP/2 too, with clients that prefer it. Each of their requests becomes one
 * of HTTP/1.1 on a connection of its own inside the process, so that everything behind is the same for both. A
 * session ends once nothing was sent in it for `idleMs`.
 */
export function speakHttp2(server: Server, idleMs = IDLE_MS): void {
  const [speakHttp1] = server.listeners("secureConnection") as Listener[];
  if (!speakHttp1) return;
  const accept: Accept = (socket) => speakHttp1.call(server, socket);
  const translator = createTranslator(accept, idleMs);
  const sockets = new Set<TLSSocket>();
  server.removeListener("secureConnection", speakHttp1);
  server.on("secureConnection", (socket: TLSSocket) => {
    if (socket.alpnProtocol !== "h2") return accept(socket);
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.once("finish", () => setTimeout(() => socket.destroy(), LINGER_MS).unref());
    translator.emit("connection", socket);
  });
  closeTogether(server, translator, sockets);
}

function createTranslator(accept: Accept, idleMs: number): Http2Server {
  const translator = createServer({ settings: { maxConcurrentStreams: MAX_STREAMS } });
  const translate = (request: Http2ServerRequest, response: Http2ServerResponse): void => {
    try {
      forward(request, response, accept);
    } catch {
      // What HTTP/1.1 cannot say, such as a path with a space.
      request.stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
    }
  };
  translator.on("session", (session) => session.setTimeout(idleMs, () => endSession(session)));
  translator.on("request", translate);
  translator.on("checkContinue", translate);
  translator.on("checkExpectation", translate);
  // A tunnel needs a connection of its own, which HTTP/1.1 has.
  translator.on("connect", ({ stream }: Http2ServerRequest) =>
    stream.close(constants.NGHTTP2_HTTP_1_1_REQUIRED),
  );
  return translator;
}

/** An answer that nobody takes does not keep a session. */
function endSession(session: ServerHttp2Session): void {
  session.close();
  setTimeout(() => session.destroy(), LINGER_MS).unref();
}

/** Whoever closes the server's connections closes those that speak HTTP/2 as well. */
function closeTogether(
  server: Server,
  translator: Http2Server,
  sockets: ReadonlySet<TLSSocket>,
): void {
  const sessions = new Set<ServerHttp2Session>();
  translator.on("session", (session) => {
    sessions.add(session);
    session.once("close", () => sessions.delete(session));
  });
  const closeIdle = server.closeIdleConnections.bind(server);
  const closeAll = server.closeAllConnections.bind(server);
  server.closeIdleConnections = () => {
    closeIdle();
    // Each ends with the last of its answers.
    sessions.forEach((session) => session.close());
  };
  server.closeAllConnections = () => {
    closeAll();
    sockets.forEach((socket) => socket.destroy());
  };
}

/** A connection inside the process, whose server sees the client of the outer one. */
function connectInside(outer: Socket, accept: Accept): Duplex {
  const [client, inner] = duplexPair();
  const { remoteAddress, remotePort, remoteFamily, localAddress, localPort } = outer;
  const own = { remoteAddress, remotePort, remoteFamily, localAddress, localPort, encrypted: true };
  accept(Object.assign(inner, own));
  client.once("close", () => inner.destroy());
  inner.once("close", () => {
    if (!inner.writableEnded) client.destroy(new Error("the server ended the connection"));
  });
  return client;
}

/** The headers as they were sent, so that what is refused when it stands twice is refused here too. */
function headersFor({
  headers,
  rawHeaders,
  stream,
}: Http2ServerRequest): Record<string, string | string[]> {
  const { ":authority": authority, "content-length": length } = headers;
  const names = Object.keys(headers).filter(
    (name) => !name.startsWith(":") && !OF_CONNECTIONS.has(name),
  );
  const listValues = (name: string) =>
    rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1] === name);
  return {
    ...Object.fromEntries(names.map((name) => [name, listValues(name)])),
    ...(authority !== undefined && { host: authority }),
    // Without a length, HTTP/1.1 would take a body for the next request.
    ...(length === undefined && !stream.endAfterHeaders && { "transfer-encoding": "chunked" }),
  };
}

function forward(request: Http2ServerRequest, response: Http2ServerResponse, accept: Accept): void {
  const { stream } = request;
  const { socket } = stream.session ?? {};
  if (!socket) return;
  const inside = sendRequest({
    createConnection: () => connectInside(socket, accept),
    method: request.method,
    path: request.url,
    setHost: false,
    headers: headersFor(request),
  });
  inside.on("continue", () => {
    if (!stream.closed) response.writeContinue();
  });
  inside.on("response", (answer) => {
    if (stream.closed) inside.destroy();
    else sendBack(answer, request, response);
  });
  // An answer may come, and its connection end, before all of the request has been read.
  inside.on("error", () => {
    if (!response.headersSent) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  });
  response.on("close", () => inside.destroy());
  request.on("aborted", () => inside.destroy());
  // A stream is kept until all that was received in it has been read.
  inside.on("close", () => request.unpipe(inside).resume());
  request.on("end", () => {
    if (stream.closed) stream.destroy();
  });
  request.pipe(inside);
  if (!stream.endAfterHeaders) inside.flushHeaders();
}

function sendBack(
  answer: IncomingMessage,
  request: Http2ServerRequest,
  response: Http2ServerResponse,
): void {
  const { stream } = request;
  const kept = Object.entries(answer.headers).filter(([name]) => !OF_CONNECTIONS.has(name));
  response.writeHead(answer.statusCode ?? 502, Object.fromEntries(kept));
  pipeline(answer, response, () => answer.destroy());
  /** The client need not send the rest of a request that has been answered. */
  const endReading = () => {
    if (!request.complete) stream.close(constants.NGHTTP2_NO_ERROR);
  };
  finished(stream, { readable: false }, () => setImmediate(endReading));
}
