import type { Server, ServerResponse } from "node:http";

const LAST_ANSWERS_MS = 1000;
const POLL_MS = 50;

/** Lists the responses that a server has begun but not finished. */
export type ListAnswers = () => ServerResponse[];

/**
 * Each response has a slot of its own. A Set that always changes leaves tables behind which keep a busy server's last
 * responses alive: copying those took about a tenth of a read's time.
 */
export function trackAnswers(server: Server): ListAnswers {
  const slots: (ServerResponse | undefined)[] = [];
  const free: number[] = [];
  server.on("request", (_request, response) => {
    const slot = free.pop() ?? slots.length;
    slots[slot] = response;
    response.once("close", () => {
      slots[slot] = undefined;
      free.push(slot);
    });
  });
  return () => slots.filter((response) => response !== undefined);
}

/**
 * Stops accepting connections and lets running requests finish; once `stopping` is aborted, they are answered with
 * 503. Idle connections are closed at once, the others one second after the last complete request was answered. Node's
 * own `close` would wait for both.
 */
export async function drainConnections(
  server: Server,
  listAnswers: ListAnswers,
  stopping: AbortSignal,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const response of listAnswers()) {
    if (!response.headersSent) response.setHeader("connection", "close");
  }
  let waitedAt = performance.now();
  const look = setInterval(() => {
    const isServing = !stopping.aborted && listAnswers().some(({ req }) => req.complete);
    if (isServing) waitedAt = performance.now();
    else if (performance.now() - waitedAt > LAST_ANSWERS_MS) server.closeAllConnections();
    server.closeIdleConnections();
  }, POLL_MS);
  server.closeIdleConnections();
  await closed;
  clearInterval(look);
}
