import autocannon, { type Request } from "autocannon";
import { quantile } from "./harness.ts";

const CONNECTIONS = 32;

export interface Target {
  readonly name: string;
  readonly url: string;
  readonly request: Request;
  readonly status: number;
}

export interface Sample {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
}

/** Throws if an answer is lost or has an unexpected status. */
export async function measure(target: Target, seconds: number): Promise<Sample> {
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  let lastAt = startedAt;
  await send({ targets: [target], duration: seconds }, (latencyMs) => {
    latenciesMs.push(latencyMs);
    lastAt = performance.now();
  });
  return {
    requestsPerSecond: (latenciesMs.length / (lastAt - startedAt)) * 1000,
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
  };
}

/** Returns the requests per second of each tenth. */
export async function soak(targets: readonly Target[], amount: number): Promise<number[]> {
  const tenth = Math.floor(amount / 10);
  const ends = [performance.now()];
  let answered = 0;
  await send({ targets, amount }, () => {
    answered++;
    if (answered % tenth === 0) ends.push(performance.now());
  });
  return ends.slice(1, 11).map((end, index) => (tenth / (end - (ends[index] ?? 0))) * 1000);
}

async function send(
  load: { targets: readonly Target[]; duration?: number; amount?: number },
  onAnswer: (latencyMs: number) => void,
): Promise<void> {
  const { targets, ...length } = load;
  const expected = new Set(targets.map(({ status }) => status));
  const unexpected = new Set<number>();
  const run = autocannon({
    connections: CONNECTIONS,
    ...length,
    url: targets[0]?.url ?? "",
    requests: targets.map(({ request }) => request),
  });
  run.on("response", (_client, status, _bytes, latencyMs) => {
    if (!expected.has(status)) unexpected.add(status);
    onAnswer(latencyMs);
  });
  const { errors, timeouts } = await run;
  if (errors + timeouts + unexpected.size === 0) return;
  const statuses = [...unexpected].join(", ") || "none";
  throw new Error(
    `${targets[0]?.name}: ${errors} errors, ${timeouts} timeouts, unexpected statuses: ${statuses}`,
  );
}
