import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "undici";
import { quantile } from "./quantile.ts";

/** A quiet account, and the site that it checks. */
export interface Quiet {
  server: string;
  site: string;
  quietToken: string;
}

const ROUNDS = 4;
const CHECKS_A_ROUND = 60;
const CHECK_EVERY_MS = 100;

async function check({ server, site, quietToken }: Quiet, client: Client): Promise<number> {
  const startedAt = performance.now();
  const { statusCode, body } = await client.request({
    path: "/api/v1/check",
    method: "POST",
    headers: { authorization: `Bearer ${quietToken}`, "content-type": "application/json" },
    body: JSON.stringify({ url: `${site}/` }),
  });
  const answer = await body.text();
  if (statusCode !== 200) throw new Error(`${server} answered with ${statusCode}: ${answer}`);
  return performance.now() - startedAt;
}

/** Runs checks one after the other, for about as long as a flood takes to be answered; returns the milliseconds of each. */
export async function checkQuietly(quiet: Quiet): Promise<number[]> {
  const client = new Client(quiet.server);
  const latenciesMs: number[] = [];
  for (let index = 0; index < CHECKS_A_ROUND; index++) {
    latenciesMs.push(await check(quiet, client));
    await sleep(CHECK_EVERY_MS);
  }
  await client.close();
  return latenciesMs;
}

/** Prints the latencies of checks alone and beside something else, in turn; `goal` is the most that the p99 may grow. */
export async function compareQuietly(
  title: string,
  quiet: Quiet,
  { goal, checkBeside }: { goal: number; checkBeside: () => Promise<number[]> },
): Promise<void> {
  console.log(`\n${title}`);
  await checkQuietly(quiet);
  const alone: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(...(await checkQuietly(quiet)));
    beside.push(...(await checkBeside()));
  }
  for (const share of [0.5, 0.9, 0.99]) {
    const [one, other] = [quantile(alone, share), quantile(beside, share)];
    const ratio = `×${(other / one).toFixed(2)}`;
    console.log(
      `p${share * 100}: ${one.toFixed(0)} ms alone, ${other.toFixed(0)} ms beside it, ${ratio}`,
    );
  }
  const ratio = quantile(beside, 0.99) / quantile(alone, 0.99);
  console.log(`p99 at most ×${goal}: ${ratio <= goal ? "met" : "NOT MET"}`);
}
