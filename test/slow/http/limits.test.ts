import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerUnreadable } from "../../../server/http/errors.ts";
import { startLimitedServer } from "../../harness/limited-server.ts";

/** Limits are enforced within a second; this machine may be a second late. */
const SLACK_MS = 2000;

describe.each([
  ["http", false],
  ["https", true],
])("over %s", (_, isSecure) => {
  let server: Awaited<ReturnType<typeof startLimitedServer>>;
  beforeAll(async () => {
    server = await startLimitedServer(isSecure, (it) => {
      it.on("request", (request) => request.resume());
      it.on("clientError", (error, socket: Socket) => answerUnreadable(error, socket, "req_1"));
    });
  });
  afterAll(() => server.close());

  /** Sends a byte a second after these until it is cut, and returns the milliseconds that it lasted. */
  async function drip(bytes: string): Promise<number> {
    const socket = await server.join();
    const started = performance.now();
    socket.resume().write(bytes);
    const dripping = setInterval(() => socket.write("x"), 1000);
    await once(socket, "close");
    clearInterval(dripping);
    return performance.now() - started;
  }

  test.concurrent.each<[string, string, number]>([
    ["a request line", "GET /", 15_000],
    ["headers", "GET / HTTP/1.1\r\nX: ", 15_000],
    ["a body", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n", 30_000],
  ])("a client that drips %s is disconnected in time", async (_what, bytes, limitMs) => {
    const lastedMs = await drip(bytes);
    expect(lastedMs).toBeGreaterThan(limitMs - SLACK_MS);
    expect(lastedMs).toBeLessThan(limitMs + SLACK_MS);
  });

  test.runIf(isSecure).concurrent("an unfinished handshake is disconnected in time", async () => {
    const socket = connect(server.port, "127.0.0.1").resume();
    const started = performance.now();
    await once(socket, "close");
    expect(performance.now() - started).toBeLessThan(15_000 + SLACK_MS);
  });
});
