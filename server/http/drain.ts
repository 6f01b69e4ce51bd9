import type { Server } from "node:http";
import { listAnswers } from "./connections.ts";

const LAST_ANSWERS_MS = 1000;
const POLL_MS = 50;

/**
 * Stops accepting connections and lets running requests finish; once `stopping` is aborted, they are answered with
 * 503. Idle connections are closed at once, the others one second after the last complete request was answered. Node's
 * own `close` would wait for both.
 */
export async function drainConnections(server: Server, stopping: AbortSignal): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const response of listAnswers(server)) {
    if (!response.headersSent) response.setHeader("connection", "close");
  }
  let waitedAt = performance.now();
  const look = setInterval(() => {
    const isServing = !stopping.aborted && listAnswers(server).some(({ req }) => req.complete);
    if (isServing) waitedAt = performance.now();
    else if (performance.now() - waitedAt > LAST_ANSWERS_MS) server.closeAllConnections();
    server.closeIdleConnections();
  }, POLL_MS);
  server.closeIdleConnections();
  await closed;
  clearInterval(look);
}
