import { connect, type Socket } from "node:net";
import { once } from "node:events";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { useFiles } from "../../harness/database.ts";
import { addAccount, startServerProcess, type ServerProcess } from "../../harness/process.ts";
import { sendRequest, sendCheck } from "../../harness/request.ts";
import { findClosedPort } from "../../harness/site.ts";
import { startSlowSite, waitUntil } from "../../harness/slow-site.ts";
import { use } from "../../harness/use.ts";

const EMAIL = "sam@example.com";

let token: string;
let server: ServerProcess;

const database = useFiles();
const site = use(startSlowSite);
beforeAll(async () => {
  token = await addAccount(database.env, EMAIL, "free");
});
beforeEach(async () => {
  site.release();
  server = await startServerProcess(database.env);
});
afterEach(() => server.end("SIGKILL"));

// Held up, a drain would take its whole 20 s, and an idle connection 72.
const HELD_UP_MS = 15_000;

async function open(bytes: string): Promise<Socket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(bytes);
  return socket;
}

async function expectPromptEnd(): Promise<void> {
  const started = performance.now();
  expect(await server.end("SIGTERM")).toBe(0);
  expect(performance.now() - started).toBeLessThan(HELD_UP_MS);
}

const check = (options = {}) => sendCheck(server.url, token, site.url, options);

/** Begins a check whose visit is held. */
async function checkHeld(options = {}): Promise<{ answer: Promise<Response> }> {
  site.hold();
  const before = site.requests.length;
  const answer = check(options);
  await waitUntil("the check visits", () => site.requests.length > before);
  return { answer };
}

test("an idle keep-alive connection does not delay the end", async () => {
  const socket = await open("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await once(socket, "data");
  await expectPromptEnd();
});

test("a silent connection to the metrics does not delay the end", async () => {
  await server.end("SIGTERM");
  const port = await findClosedPort();
  const address = `127.0.0.1:${port}`;
  server = await startServerProcess({ ...database.env, SHIPSCORE_METRICS_ADDRESS: address });
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  const closed = once(socket, "close");
  await expectPromptEnd();
  await closed;
});

test("half-sent requests are cut off: in the line, in the headers, in the body", async () => {
  const halves = [
    "GET /healthz HT",
    "GET /healthz HTTP/1.1\r\nHost: localhost\r\nAccept: text/",
    "POST /api/v1/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" +
      `Authorization: Bearer ${token}\r\nContent-Length: 100\r\n\r\n{"url":`,
  ];
  const sockets = await Promise.all(halves.map(open));
  const closed = sockets.map((socket) => once(socket, "close"));
  await sendRequest(server.url, "/healthz");
  await expectPromptEnd();
  await Promise.all(closed);
});

test("a running check ends with its 200, and no new request is admitted until then", async () => {
  const { answer } = await checkHeld();
  const kept = await open("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  const ended = server.end("SIGTERM");
  await waitUntil("it drains", () => server.stdout().includes("draining"));
  await expect(sendRequest(server.url, "/healthz")).rejects.toThrow("fetch failed");
  site.release();
  const { status, headers } = await answer;
  expect([status, headers.get("connection")]).toEqual([200, "close"]);
  expect(await ended).toBe(0);
  kept.destroy();
});

test.each<[string, NodeJS.Signals]>([
  ["SIGTERM twice", "SIGTERM"],
  ["an interruption that npm passes on after the terminal", "SIGINT"],
])("%s changes nothing: the running check still ends", async (_, signal) => {
  const { answer } = await checkHeld();
  const ended = server.end(signal);
  server.child.kill(signal);
  await waitUntil("it drains", () => server.stdout().includes("draining"));
  site.release();
  expect((await answer).status).toBe(200);
  expect(await ended).toBe(0);
});

test("a client that disconnected during a check does not delay the end", async () => {
  const gone = new AbortController();
  const { answer } = await checkHeld({ signal: gone.signal });
  gone.abort();
  await expect(answer).rejects.toThrow("aborted");
  setTimeout(() => site.release(), 500);
  await expectPromptEnd();
});
