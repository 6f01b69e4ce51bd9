import type { RequestListener, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Deps } from "../deps.ts";

/** Browsers send the next request of a connection once the last was answered. */
const MAX_UNANSWERED = 16;
const STALLED_MS = 60_000;
const LOOK_MS = 1000;

interface Connection {
  /** In the order in which they came. */
  readonly unanswered: ServerResponse[];
  /** Bytes that the client has still to take. */
  unsent: number;
  /** When they last became fewer. */
  progressAt: number;
}

const connectionsOf = new WeakMap<Server, Map<Socket, Connection>>();

/** The responses that a server has begun but not finished. */
export function listAnswers(server: Server): ServerResponse[] {
  const connections = connectionsOf.get(server)?.values() ?? [];
  return [...connections].flatMap(({ unanswered }) => unanswered);
}

/** In this process, and in the kernel's hands for as long as libuv waits for it. */
function countUnsent(socket: Socket): number {
  const { _handle: handle } = socket as { _handle?: { writeQueueSize?: number } | null };
  return socket.writableLength + (handle?.writeQueueSize ?? 0);
}

/** Node would make requests of the thousands that may have come in the same write: 2 ends the reading, as for CONNECT. */
function stopParsing(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming: () => number } | null };
  if (parser) parser.onIncoming = () => 2;
}

function hasStalled(socket: Socket, connection: Connection, stalledMs: number): boolean {
  const now = performance.now();
  const unsent = countUnsent(socket);
  if (unsent === 0 || unsent < connection.unsent) connection.progressAt = now;
  connection.unsent = unsent;
  return now - connection.progressAt > stalledMs;
}

/**
 * Has a server's requests handled, one of a connection at a time, in their order; 16 may be unanswered. One more ends the
 * connection unread, which is a line of the log: what came behind it is not parsed, and so not counted. A client that
 * takes nothing of its answers for a minute is cut too. Each response emits `close`: when a connection ends, Node itself
 * closes only the first of those that wait.
 */
export function handleRequests(
  server: Server,
  handle: RequestListener,
  log: Pick<Deps["log"], "info">,
  stalledMs = STALLED_MS,
): void {
  const connections = new Map<Socket, Connection>();
  connectionsOf.set(server, connections);

  const handled = new WeakSet<ServerResponse>();

  /** Answers leave in the order of their requests: what is handled before its turn only delays other connections. */
  function handleFirst([response]: ServerResponse[]): void {
    if (response === undefined || handled.has(response)) return;
    handled.add(response);
    handle(response.req, response);
  }

  function open(socket: Socket): Connection {
    const connection = { unanswered: [], unsent: 0, progressAt: performance.now() };
    connections.set(socket, connection);
    socket.once("close", () => {
      connections.delete(socket);
      queueMicrotask(() => closeAll(connection.unanswered));
    });
    return connection;
  }

  server.on("request", (request, response) => {
    const { socket } = request;
    const connection = connections.get(socket) ?? open(socket);
    const { unanswered } = connection;
    if (socket.destroyed || unanswered.length === MAX_UNANSWERED) {
      if (!socket.destroyed)
        log.info(
          { address: socket.remoteAddress, unanswered: MAX_UNANSWERED },
          "a connection was ended: too many of its requests were unanswered",
        );
      socket.destroy();
      stopParsing(socket);
      return;
    }
    unanswered.push(response);
    response.once("close", () => {
      unanswered.splice(unanswered.indexOf(response), 1);
      setImmediate(handleFirst, unanswered);
    });
    if (unanswered.length === 1) handleFirst(unanswered);
  });

  const look = () => {
    for (const [socket, connection] of connections)
      if (hasStalled(socket, connection, stalledMs)) socket.destroy();
  };
  server.once("listening", () => {
    const looking = setInterval(look, LOOK_MS).unref();
    server.once("close", () => clearInterval(looking));
  });
}

function closeAll(unanswered: ServerResponse[]): void {
  for (const response of unanswered.splice(0)) {
    response.destroyed = true;
    response.emit("close");
  }
}
