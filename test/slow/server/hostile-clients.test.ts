import { spawn } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { Agent, get } from "node:https";
import { join } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
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
/** They have a process of their own, so that the times measured here are the server's. */
const HOSTILE = fileURLToPath(new URL("../../harness/hostile-clients.js", import.meta.url));
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

/** Lets clients be hostile until they have done what they do or are told to end, and says how many there were. */
function beginHostility(kind: "flood" | "mixed") {
  const child = spawn(process.execPath, [HOSTILE, new URL(server.url).port, kind]);
  const begun = readAll(child.stdout).then(Number);
  return {
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    async end() {
      child.kill("SIGTERM");
      return begun;
    },
  };
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

test("sixty connections of 1,400 requests leave no memory behind, and delay no one", async () => {
  await read("/docs/rules");
  const before = await weighHeap();
  const flood = beginHostility("flood");
  const { most } = await readHonestly(() => !flood.hasEnded(), ["/healthz"]);
  expect(await flood.end()).toBe(60);
  await waitUntil("all are logged", async () => countLines() === (await countMetric()));
  const after = await weighHeap();
  process.stdout.write(
    `${JSON.stringify({ healthzMs: most, heapBefore: before, heapAfter: after, lines: countLines() })}\n`,
  );
  expect(server.stdout().match(/a connection was ended/g)?.length).toBe(60);
  expect(after).toBeLessThan(1.2 * before);
  expect(most).toBeLessThan(250);
});

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

    const mixed = beginHostility("mixed");
    const beside = await readHonestly(during(RUN_MS / 3), paths);
    const before = await weighHeap();
    const later = await readHonestly(during((RUN_MS * 2) / 3), paths);
    const begun = await mixed.end();
    expect(begun).toBeGreaterThan(0);
    const after = await weighHeap();
    process.stdout.write(
      `${JSON.stringify({ begun, alone, beside, later, heapBefore: before, heapAfter: after })}\n`,
    );
    expect(Math.max(beside.p99, later.p99)).toBeLessThan(3 * alone.p99);
    expect(after).toBeLessThan(1.2 * before);
  },
);
