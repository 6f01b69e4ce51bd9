import { constants, platform, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import type { Networks } from "../probe/address.ts";
import type { KnownNames } from "../probe/guard.ts";
import { openNetwork } from "../probe/network.ts";
import { createProbe } from "../probe/probe.ts";
import { judge, type Orders, type VerificationKind } from "./judge.ts";

/** What a thread is given when it starts. */
export interface Setting {
  allowNetworks: Networks;
  userAgent: string;
  roots?: readonly string[];
}

type Order = Orders[VerificationKind];

/** What it is told: to go on with a visit that was vetted, or to leave one off. */
export type Call =
  | { number: number; order: Order; known: KnownNames }
  | { number: number; abort: true };

/** What it answers; to a call that was aborted, nothing. */
export type Reply = { number: number; result: unknown } | { number: number; error: unknown };

// Where a thread has a priority of its own, requests to this server go before visits to others.
if (platform() === "linux") setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const { allowNetworks, userAgent, roots } = workerData as Setting;
const probe = createProbe({
  network: openNetwork(allowNetworks),
  userAgent,
  ...(roots && { roots }),
});
const running = new Map<number, AbortController>();

parentPort?.on("message", (call: Call) => {
  if ("abort" in call) running.get(call.number)?.abort();
  else void answer(call.number, call.order, call.known);
});

async function answer(number: number, order: Order, known: KnownNames): Promise<void> {
  const controller = new AbortController();
  running.set(number, controller);
  const reply = await verify(order, known, controller.signal).then(
    (result): Reply => ({ number, result }),
    (error: unknown): Reply => ({ number, error }),
  );
  running.delete(number);
  if (!controller.signal.aborted) parentPort?.postMessage(reply);
}

async function verify(order: Order, known: KnownNames, signal: AbortSignal): Promise<unknown> {
  const visit = await probe.vet(order.request.url, signal, known);
  try {
    return await judge(await probe.run(visit, order.request, signal), order);
  } finally {
    visit.close();
  }
}
