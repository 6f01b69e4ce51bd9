import { platform, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import type { Networks } from "../net/address.ts";
import type { AskingStep } from "../net/fetch.ts";
import { openNetwork } from "../net/network.ts";
import { findFamily } from "../../base/syntax/private-hosts.ts";
import { createProbe, giveUpVisit } from "../requests/visitor.ts";
import { createVet, type VettedUrl } from "../net/vet.ts";
import { lookOf, LOOK_RULESET } from "../judge/look-outcome.ts";
import { findingsOf, judge } from "../judge/score.ts";
import { concludeVisit, faultsOf } from "./conclude.ts";
import { judgeAgain } from "./judge-again.ts";
import type { CheckKind } from "../finished.ts";
import type { Conclusion, Task, TaskKind } from "./orders.ts";
import { trackCurrentCall, type CurrentCall } from "./current-call.ts";
import { sharedNow } from "./shared-clock.ts";

/** What every thread is given when it starts. */
export interface Setting {
  allowNetworks: Networks;
  /** The same for public scans. */
  scanNetworks: Networks;
  dnsServers?: readonly string[];
  userAgent: string;
  roots?: readonly string[];
}

export interface ThreadData {
  setting: Setting;
  /** Where threads have priorities of their own (Linux), requests to this server go before visits to others. */
  niceness: number;
  currentCall: CurrentCall;
}

/** A message to a thread: do a task, or abort it. */
export type Call = { number: number; task: Task } | { number: number; abort: true };

/**
 * What it says when a look sends a request, when a visit has ended, and its reply; nothing for an aborted call.
 */
export type Reply =
  | { number: number; isAsking: true }
  | { number: number; isJudging: true }
  | { number: number; conclusion: Conclusion }
  | { number: number; error: unknown };

const { setting, niceness, currentCall } = workerData as ThreadData;
if (platform() === "linux") setPriority(niceness);
const { allowNetworks, scanNetworks, dnsServers, userAgent, roots } = setting;
const network = openNetwork(allowNetworks, dnsServers);
void network.translations?.();
const probe = createProbe({
  network,
  userAgent,
  findingsOf,
  ...(roots && { roots }),
});
const vetScan = createVet({ ...network, allowNetworks: scanNetworks });
const WARM_UP_MS = 1000;
const calls = trackCurrentCall(currentCall);
const running = new Map<number, AbortController>();

class ClaimOver extends Error {
  constructor() {
    super("the time in which the site may be asked is over");
    this.name = "ClaimOver";
  }
}

parentPort?.on("message", (call: Call) => {
  if ("abort" in call) running.get(call.number)?.abort();
  else calls.run(call.number, () => void answer(call.number, call.task));
});

async function answer(number: number, task: Task): Promise<void> {
  const controller = new AbortController();
  running.set(number, controller);
  const { signal } = controller;
  const post = (reply: Reply): void => {
    if (!signal.aborted) parentPort?.postMessage(reply);
  };
  const telling = {
    onAsking: () => post({ number, isAsking: true }),
    onVisited: () => post({ number, isJudging: true }),
  };
  const reply = await perform(task, signal, telling).then(
    (conclusion): Reply => ({ number, conclusion }),
    (error: unknown): Reply => ({ number, error }),
  );
  running.delete(number);
  post(reply);
}

interface Telling {
  onAsking: () => void;
  onVisited: () => void;
}

type Perform<Kind extends TaskKind> = (
  task: Task<Kind>,
  signal: AbortSignal,
  telling: Telling,
) => Promise<Conclusion<Kind>>;

const PERFORM: { [Kind in TaskKind]: Perform<Kind> } = {
  api: verify,
  deployment: verify,
  cycle: verify,
  scan: verify,
  owner: askOwner,
  sitemap: readSitemaps,
  look,
  warmUp,
  judgeAgain: async ({ order }) => ({ result: await judgeAgain(order), faults: [] }),
};

function perform<Kind extends TaskKind>(
  task: Task<Kind>,
  signal: AbortSignal,
  telling: Telling,
): Promise<Conclusion<Kind>> {
  return PERFORM[task.kind](task, signal, telling);
}

async function look(
  { order, known }: Task<"look">,
  signal: AbortSignal,
  telling: Pick<Telling, "onAsking">,
): Promise<Conclusion<"look">> {
  const startedAt = performance.now();
  const isOver = () => sharedNow() >= order.endsBy;
  const vetted = await probe.vet(order.lookAt, signal, known);
  const onAsking = (step: AskingStep) => {
    if (isOver()) throw new ClaimOver();
    if (step === "request") telling.onAsking();
  };
  try {
    const maxMs = order.maxMs - (performance.now() - startedAt);
    const evidence = await probe.look(vetted, { url: order.lookAt, maxMs, onAsking }, signal);
    if (isOver()) throw new ClaimOver();
    const judged = judge(evidence, LOOK_RULESET);
    const seen = lookOf(judged);
    const result = { look: seen, known: seen.outcome === "failed" ? vetted.known : [] };
    return { result, faults: faultsOf(judged) };
  } finally {
    vetted.close();
  }
}

/** Looks at a URL that is refused, once the network is known. */
async function warmUp(
  { known }: Task<"warmUp">,
  signal: AbortSignal,
  telling: Telling,
): Promise<Conclusion<"warmUp">> {
  await network.translations?.();
  const order = { lookAt: "", maxMs: WARM_UP_MS, endsBy: Infinity };
  const { faults } = await look({ kind: "look", order, known }, signal, telling);
  return { result: null, faults };
}

async function askOwner(
  { order, known }: Task<"owner">,
  signal: AbortSignal,
): Promise<Conclusion<"owner">> {
  const vetted = await vetScan(order.askOwnerOf, signal, known);
  try {
    return { result: await probe.askOwner(vetted, signal), faults: [] };
  } finally {
    vetted.close();
  }
}

async function readSitemaps(
  { order, known: before }: Task<"sitemap">,
  signal: AbortSignal,
): Promise<Conclusion<"sitemap">> {
  const vetted = await probe.vet(order.sitemapAt, signal, before);
  try {
    const read = await probe.readSitemaps(vetted, order.sitemapAt, signal);
    const known = await vetted.guard.getKnown();
    const names = known.filter(([host]) => findFamily(host) === undefined).length;
    return { result: { ...read, names }, faults: [] };
  } finally {
    vetted.close();
  }
}

async function verify<Kind extends CheckKind>(
  task: Task<Kind>,
  signal: AbortSignal,
  { onVisited }: Telling,
): Promise<Conclusion<Kind>> {
  const { kind, order, known, giveUp } = task;
  const vet = kind === "scan" ? vetScan : probe.vet;
  const vetted = await vet(order.request.url, signal, known);
  try {
    if (giveUp) return await concludeVisit(kind, giveUpVisit(vetted, order.request, giveUp), order);
    return await visitAndConclude(vetted, task, signal, onVisited);
  } finally {
    vetted.close();
  }
}

/** An error of our own does not leave a check without a result. */
async function visitAndConclude<Kind extends CheckKind>(
  vetted: VettedUrl,
  { kind, order }: Task<Kind>,
  signal: AbortSignal,
  onVisited: () => void,
): Promise<Conclusion<Kind>> {
  try {
    const evidence = await probe.run(vetted, order.request, signal);
    onVisited();
    return await concludeVisit(kind, evidence, order);
  } catch (error) {
    signal.throwIfAborted();
    const givenUp = giveUpVisit(vetted, order.request, "failed");
    const { result, faults } = await concludeVisit(kind, givenUp, order);
    return { result, faults: [...faults, { rule: null, error }] };
  }
}
