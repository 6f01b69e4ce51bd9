import type { Server, ServerResponse } from "node:http";

const LAST_ANSWERS_MS = 1000;
const POLL_MS = 50;

/** The responses that a server has begun but not finished. */
export function trackAnswers(server: Server): ReadonlySet<ServerResponse> {
  const running = new Set<ServerResponse>();
  server.on("request", (_request, response) => {
    running.add(response);
    response.once("close", () => running.delete(response));
  });
  return running;
}

/**
 * Stops accepting connections and lets running requests finish; once `stopping` is aborted, they are answered with
 * 503. Idle connections are closed at once, the others one second after the last complete request was answered. Node's
 * own `close` would wait for both.
 */
export async function drainConnections(
  server: Server,
  running: ReadonlySet<ServerResponse>,
  stopping: AbortSignal,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const response of running) {
    if (!response.headersSent) response.setHeader("connection", "close");
  }
  let waitedAt = performance.now();
  const look = setInterval(() => {
    const isServing = !stopping.aborted && [...running].some(({ req }) => req.complete);
    if (isServing) waitedAt = performance.now();
    else if (performance.now() - waitedAt > LAST_ANSWERS_MS) server.closeAllConnections();
    server.closeIdleConnections();
  }, POLL_MS);
  server.closeIdleConnections();
  await closed;
  clearInterval(look);
}
