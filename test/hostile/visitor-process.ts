import { setTimeout as sleep } from "node:timers/promises";
import { scoreEvidence } from "../../server/engine/judge/score.ts";
import { parseNetworks } from "../../server/engine/net/address.ts";
import { Evidence } from "../../server/engine/evidence/evidence.ts";
import { createVisitor } from "../../server/engine/requests/visitor.ts";
import { createResolver, type Resolution } from "../../server/engine/net/resolve.ts";
import { CheckResult } from "../../shared/check.ts";
import type { Order, Report } from "./visitor.ts";

const SAMPLE_MS = 5;
const SETTLE_MS = 2000;

/** From here on what the collector could free is no longer counted. */
const MAX_GARBAGE_BYTES = 16_777_216;
let baseBytes = 0;
let baseResources: readonly string[] = [];
let peakBytes = 0;
let underWay = 0;
let starvedMs = 0;
let lastBeat = performance.now();
let lastCpu = process.cpuUsage();

process.on("message", (order: Order) => void run(order));
setInterval(() => {
  noteMemory();
  noteStarvation();
}, SAMPLE_MS).unref();

async function run(order: Order): Promise<void> {
  if (underWay === 0) startMeasure();
  underWay++;
  const report = await visit(order).catch((error: unknown) => ({ fault: String(error) }));
  underWay--;
  process.send?.({ number: order.number, ...report });
}

async function visit(order: Order): Promise<Omit<Report, "fault">> {
  const startedAt = performance.now() - starvedMs;
  const signal = new AbortController().signal;
  const probe = createVisitorFor(order);
  const visited = await probe.vet(order.url, signal);
  const { url, headers = {} } = order;
  const evidence = await probe.run(visited, { url, preview: false, headers }, signal);
  visited.close();
  const results = (["fr", "en"] as const).map((language) => scoreEvidence(evidence, language));
  noteStarvation();
  const durationMs = performance.now() - starvedMs - startedAt;
  noteMemory();
  results.forEach((each) => CheckResult.parse(each));
  const [, result] = results;
  if (!result) throw new Error("there is no result");
  return {
    evidence: Evidence.parse(evidence),
    result,
    durationMs,
    grownBytes: peakBytes - baseBytes,
    leftOpen: await findLeftOpen(),
  };
}

function createVisitorFor({ roots, names, dnsServer, httpPort }: Order) {
  return createVisitor({
    network: {
      resolver: dnsServer
        ? createResolver({ servers: [dnsServer], hostsFile: "/dev/null" })
        : { resolve: (name) => Promise.resolve(answerFor(name, names)) },
      allowNetworks: parseNetworks("127.0.0.0/8,::1/128"),
      localAddresses: () => [],
      ...(httpPort !== undefined && { httpPort }),
    },
    userAgent: "shipscore-test",
    roots,
  });
}

function answerFor(name: string, names: Order["names"] = {}): Resolution {
  const addresses = names[name];
  return addresses ? { outcome: "found", addresses: [...addresses] } : { outcome: "not_found" };
}

function startMeasure(): void {
  globalThis.gc?.();
  baseBytes = takenBytes();
  peakBytes = baseBytes;
  baseResources = process.getActiveResourcesInfo();
}

function takenBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function noteMemory(): void {
  if (takenBytes() > Math.max(peakBytes, baseBytes + MAX_GARBAGE_BYTES)) globalThis.gc?.();
  peakBytes = Math.max(peakBytes, takenBytes());
}

/** Adds up the time that other processes had the machine while this one had something to do. */
function noteStarvation(): void {
  const cpu = process.cpuUsage(lastCpu);
  const now = performance.now();
  starvedMs += Math.max(0, now - lastBeat - 2 * SAMPLE_MS - (cpu.user + cpu.system) / 1000);
  lastBeat = now;
  lastCpu = process.cpuUsage();
}

/** What keeps the process from ending that was not there before, once closing sockets had their time. */
async function findLeftOpen(): Promise<string> {
  const until = performance.now() + SETTLE_MS;
  while (underWay === 1 && addedResources() !== "" && performance.now() < until) await sleep(5);
  return underWay === 1 ? addedResources() : "";
}

function addedResources(): string {
  const before = [...baseResources];
  const added = process.getActiveResourcesInfo().filter((kind) => {
    const index = before.indexOf(kind);
    if (index >= 0) before.splice(index, 1);
    return index < 0;
  });
  return added.join(" ");
}
