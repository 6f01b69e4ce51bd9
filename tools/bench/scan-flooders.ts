/*
 * Visitors who flood the public scan: `scan-flooders.ts SERVER SITE_PORT`. From "flood" to "stop" 20 a second ask for
 * scans of as many hosts, so that the queue never empties; one visitor asks 100 times a second for more than it may; and
 * the same client asks for /healthz. Tells how these were answered.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "undici";
import { quantile } from "./quantile.ts";

const ASKED_EVERY_MS = 50;
const REFUSED_EVERY_MS = 10;

const [server = "", port = ""] = process.argv.slice(2);
let stop = new AbortController();
let asked = 0;

interface Answered {
  statuses: Map<number, number>;
  latenciesMs: number[];
}

async function post(client: Client, visitor: string, url: string): Promise<number> {
  const { statusCode, body } = await client.request({
    path: "/scan",
    method: "POST",
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "x-forwarded-for": visitor,
    },
    body: new URLSearchParams({ url }).toString(),
  });
  await body.dump();
  return statusCode;
}

async function getHealth(client: Client): Promise<number> {
  const { statusCode, body } = await client.request({ path: "/healthz", method: "GET" });
  await body.dump();
  return statusCode;
}

/** Acts again and again; the latencies are those of answers with the status `measured`. */
async function repeat(
  everyMs: number,
  measured: number,
  act: (client: Client) => Promise<number>,
): Promise<Answered> {
  const client = new Client(server);
  const answered: Answered = { statuses: new Map(), latenciesMs: [] };
  while (!stop.signal.aborted) {
    const startedAt = performance.now();
    const status = await act(client);
    if (status === measured) answered.latenciesMs.push(performance.now() - startedAt);
    answered.statuses.set(status, (answered.statuses.get(status) ?? 0) + 1);
    await sleep(everyMs);
  }
  await client.close();
  return answered;
}

function describe(name: string, { statuses, latenciesMs }: Answered): string {
  const counts = [...statuses].map(([status, count]) => `${count} times ${status}`).join(", ");
  const [p50, p99] = [0.5, 0.99].map((share) => quantile(latenciesMs, share).toFixed(1));
  return `  ${name}: ${counts}; p50 ${p50} ms, p99 ${p99} ms`;
}

async function flood(): Promise<string> {
  const hostOf = (index: number) =>
    `127.${10 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}`;
  const visitorOf = (index: number) => `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`;
  const [scans, refused, floor] = await Promise.all([
    repeat(ASKED_EVERY_MS, 303, (client) => {
      asked++;
      return post(client, visitorOf(asked), `https://${hostOf(asked)}:${port}/`);
    }),
    repeat(REFUSED_EVERY_MS, 429, (client) => {
      asked++;
      return post(client, "192.0.2.1", `https://${hostOf(asked)}:${port}/`);
    }),
    repeat(REFUSED_EVERY_MS, 200, getHealth),
  ]);
  const ratio = quantile(refused.latenciesMs, 0.99) / quantile(floor.latenciesMs, 0.99);
  return [
    describe("scans", scans),
    describe("refused", refused),
    describe("/healthz", floor),
    `  p99 of a refusal: ×${ratio.toFixed(1)} that of /healthz`,
  ].join("\n");
}

process.on("message", (word: string) => {
  if (word === "stop") return stop.abort();
  stop = new AbortController();
  flood().then(
    (answers) => process.send?.(answers),
    (error: unknown) => process.send?.(String(error)),
  );
});
