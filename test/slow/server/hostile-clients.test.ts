import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { Agent, get } from "node:https";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect as connectSecurely } from "node:tls";
import { afterAll, beforeAll, expect, test } from "vitest";
import { useFiles } from "../../harness/database.ts";
import { addAccount, startServerProcess, type ServerProcess } from "../../harness/process.ts";
import { sendRequest } from "../../harness/request.ts";
import { findClosedPort, getAuthority } from "../../harness/site.ts";
import { waitUntil } from "../../harness/slow-site.ts";
import { useFolder } from "../../harness/use.ts";

/** 300 s are enough to see a leak; HOSTILE_SECONDS=20 tries the test itself. */
const RUN_MS = 1000 * Number(process.env["HOSTILE_SECONDS"] ?? 300);
const HEAP = new URL("../../harness/heap.js", import.meta.url);
const PAUSE_MS = 20;

const folder = useFolder();
const database = useFiles();
const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
let server: ServerProcess;
let metricsUrl: string;
let token: string;

beforeAll(async () => {
  token = await addAccount(database.env, "hal@example.com");
  const { cert, key } = await (await getAuthority()).issue({ hosts: ["127.0.0.1"] });
  const files = { cert: join(folder, "cert.pem"), key: join(folder, "key.pem") };
  await writeFile(files.cert, cert);
  await writeFile(files.key, key);
  const metrics = `127.0.0.1:${await findClosedPort()}`;
  metricsUrl = `http://${metrics}/metrics`;
  server = await startServerProcess({
    ...database.env,
    SHIPSCORE_TLS_CERT: files.cert,
    SHIPSCORE_TLS_KEY: files.key,
    SHIPSCORE_METRICS_ADDRESS: metrics,
    NODE_OPTIONS: `--max-old-space-size=512 --import=${HEAP.href}`,
  });
});
afterAll(async () => {
  agent.destroy();
  await server.end("SIGTERM");
});

const portOf = () => Number(new URL(server.url).port);

/** A connection to the server, which may be cut at any time. */
function open(): Socket {
  const socket = connectSecurely({ port: portOf(), rejectUnauthorized: false });
  return socket.on("error", () => {});
}

/** Asks for a page and returns the milliseconds until it was read. */
function read(path: string): Promise<number> {
  const started = performance.now();
  const options = { agent, headers: { authorization: `Bearer ${token}` } };
  return new Promise((resolve, reject) => {
    get(new URL(path, server.url), options, (response) => {
      expect(response.statusCode).toBe(200);
      response.resume().once("end", () => resolve(performance.now() - started));
    }).once("error", reject);
  });
}

/** Reads as long as `goesOn`, and returns the milliseconds of the slowest in a hundred, and of the slowest. */
async function readHonestly(goesOn: () => boolean, paths: readonly string[]) {
  const times: number[] = [];
  while (goesOn()) {
    for (const path of paths) times.push(await read(path));
    await sleep(PAUSE_MS);
  }
  const sorted = times.toSorted((a, b) => a - b);
  return { p99: sorted[Math.floor(sorted.length * 0.99)] ?? 0, most: sorted.at(-1) ?? 0 };
}

/** The bytes that the server's process has in use after it has collected its garbage. */
async function weighHeap(): Promise<number> {
  const listWeights = () => [...server.stderr().matchAll(/^heap (\d+)$/gm)];
  const before = listWeights().length;
  server.child.kill("SIGUSR2");
  await waitUntil("it is weighed", () => listWeights().length > before);
  return Number(listWeights().at(-1)?.[1]);
}

const countLines = () => server.stdout().match(/"status":\d+.*"msg":"request"/g)?.length ?? 0;

async function countMetric(): Promise<number> {
  const text = await (await sendRequest(metricsUrl, "/metrics")).text();
  const lines = text.matchAll(/^shipscore_http_requests_total\{.*\} (\d+)$/gm);
  return [...lines].reduce((sum, [, count]) => sum + Number(count), 0);
}

const request = (path: string, host = "localhost") =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`;
const post = (path: string) =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000\r\nSec-Fetch-Site: same-origin\r\n` +
  "Content-Type: application/x-www-form-urlencoded\r\n\r\n";

test("sixty connections of 1,400 requests leave nothing, and hold up nobody", async () => {
  await read("/docs/rules");
  const before = await weighHeap();
  const flood = request("/docs/rules").repeat(1400);
  const sockets = Array.from({ length: 60 }, () => open().resume());
  await Promise.all(sockets.map((socket) => once(socket, "secureConnect")));
  for (const socket of sockets) socket.write(flood);
  const { most } = await readHonestly(() => sockets.some(({ closed }) => !closed), ["/healthz"]);
  await waitUntil("all are logged", async () => countLines() === (await countMetric()));
  const after = await weighHeap();
  process.stdout.write(
    `${JSON.stringify({ healthzMs: most, heapBefore: before, heapAfter: after, lines: countLines() })}\n`,
  );
  expect(server.stdout().match(/a connection was ended/g)?.length).toBe(60);
  expect(after).toBeLessThan(1.2 * before);
  expect(most).toBeLessThan(250);
});

/** What hostile clients do with a connection; each is begun again and again. */
const HOSTILE: Readonly<Record<string, (count: number) => Socket>> = {
  "pipelines too much": () => write(open(), request("/sign-in").repeat(40)),
  "sends headers slowly": () => drip(write(open(), "GET / HTTP/1.1\r\nX: ")),
  "sends a form slowly": () => drip(write(open(), post("/sign-in"))),
  "sends a hook slowly": () => drip(write(open(), post("/hooks/none"))),
  "never reads": () => write(open(), request("/docs/rules").repeat(16)).once("data", pause),
  leaves: () => write(open(), request("/docs/rules")).once("data", leave),
  "half a handshake": () => connect(portOf(), "127.0.0.1").on("error", () => {}),
  "no handshake": () => connect(portOf(), "127.0.0.1", tear).on("error", () => {}),
  "huge headers": () => write(open(), `GET / HTTP/1.1\r\nX: ${"x".repeat(100_000)}\r\n\r\n`),
  "many hosts": (count) => write(open(), request("/docs/rules", `h${count}.localhost`)),
  "foreign hosts": (count) => write(open(), request("/docs/rules", `h${count}.example`)),
};

const write = (socket: Socket, bytes: string) => {
  socket.once("secureConnect", () => socket.write(bytes));
  return socket.resume();
};

function drip(socket: Socket): Socket {
  const dripping = setInterval(() => socket.write("x"), 500);
  return socket.once("close", () => clearInterval(dripping));
}

function pause(this: Socket): void {
  this.pause();
}

function tear(this: Socket): void {
  this.resetAndDestroy();
}

function leave(this: Socket): void {
  this.destroy();
}

test(
  "hostile clients of all kinds neither slow honest ones down nor fill the server",
  { timeout: RUN_MS + 240_000 },
  async () => {
    const during = (ms: number) => {
      const end = performance.now() + ms;
      return () => performance.now() < end;
    };
    const paths = ["/api/v1/projects", "/docs/rules", "/healthz"];
    await readHonestly(during(3000), paths);
    const alone = await readHonestly(during(RUN_MS / 5), paths);

    const kinds = Object.values(HOSTILE);
    const sockets = new Set<Socket>();
    let begun = 0;
    const beginning = setInterval(() => {
      const socket = kinds[begun % kinds.length]?.(begun++);
      if (socket) sockets.add(socket.once("close", () => sockets.delete(socket)));
      setTimeout(() => socket?.destroy(), 20_000 * Math.random());
    }, 50);
    const beside = await readHonestly(during(RUN_MS / 3), paths);
    const before = await weighHeap();
    const later = await readHonestly(during((RUN_MS * 2) / 3), paths);
    clearInterval(beginning);
    for (const socket of sockets) socket.destroy();
    const after = await weighHeap();
    process.stdout.write(
      `${JSON.stringify({ begun, alone, beside, later, heapBefore: before, heapAfter: after })}\n`,
    );
    expect(Math.max(beside.p99, later.p99)).toBeLessThan(3 * alone.p99);
    expect(after).toBeLessThan(1.2 * before);
  },
);
