import { ServerResponse, type IncomingMessage, type Server, type ServerOptions } from "node:http";
import type { Socket } from "node:net";

/** A certificate and its key, PEM. */
export interface Certificate {
  cert: Buffer;
  key: Buffer;
}

/** A request without Host is no reason for Node to answer by itself. */
export function serverOptions(tls: Certificate | undefined): { http: ServerOptions } {
  const options = { requireHostHeader: false };
  // Fastify types http and https as different servers; what the app uses of them is the same.
  return (tls ? { https: { ...tls, ...options } } : { http: options }) as { http: ServerOptions };
}

/** Node hands CONNECT to nobody and answers Expect itself, before anybody is asked: both go the way of the rest. */
export function takeOverFromNode(server: Server): void {
  const handle = (request: IncomingMessage, response: ServerResponse) =>
    server.emit("request", request, response);
  server.on("checkContinue", handle);
  server.on("checkExpectation", handle);
  server.on("connect", (request: IncomingMessage, socket: Socket) => {
    // Node has taken its own listeners off: without one an error would end the process.
    socket.on("error", () => socket.destroy()).resume();
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    try {
      response.assignSocket(socket);
    } catch {
      // It was sent behind a request that has no answer yet, which nobody does who awaits a tunnel.
      socket.destroy();
      return;
    }
    response.once("finish", () => socket.destroySoon());
    handle(request, response);
  });
}

const isDecodable = (path: string) => {
  try {
    decodeURI(path);
    return true;
  } catch {
    return false;
  }
};

/**
 * The request's target as a path that a router can read: without the host that a proxy names, and with a path of broken
 * escapes taken literally. `*` and `host:port`, which are no paths and which only programs send, are put below `api`. A router
 * answers what it cannot read before anybody is asked.
 */
export function readTarget({ url = "" }: IncomingMessage, api: string): string {
  const target = url.replace(/^https?:\/\/[^/?#]*\/?/i, "/");
  const rooted = target.startsWith("/") ? target : `${api}/${target}`;
  const [path = ""] = rooted.split(/[?#]/, 1);
  return isDecodable(path) ? rooted : rooted.replaceAll("%", "%25");
}

/** True for a body that was announced and has not come whole. */
export function isBodyUnread({ headers, complete }: IncomingMessage): boolean {
  return (
    !complete &&
    (headers["transfer-encoding"] !== undefined || Number(headers["content-length"]) > 0)
  );
}

/** True for a client that waits for a word before it sends its body. */
export const awaitsContinue = ({ headers, httpVersion }: IncomingMessage) =>
  httpVersion === "1.1" && /^100-continue$/i.test(headers.expect ?? "");

const LINGER_MS = 5000;
const ended = new WeakSet<Socket>();

/** True for a connection that had its last answer: what still comes on it is no request. */
export const isEnded = (socket: Socket) => ended.has(socket);

/**
 * Makes the answer that is about to be sent the connection's last, and lets it arrive: closed at once upon bytes that
 * nobody read, a connection is reset, and a client that is still sending loses the answer. For 5 s they are thrown away.
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
