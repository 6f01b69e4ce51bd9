import { platform, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import type { Networks } from "../net/address.ts";
import type { GiveUpCode } from "../evidence/failure.ts";
import type { KnownNames } from "../net/guard.ts";
import type { AskingStep } from "../net/fetch.ts";
import { openNetwork } from "../net/network.ts";
import { createProbe, giveUpVisit } from "../probe/probe.ts";
import type { Visit } from "../net/vet.ts";
import { judgeLook, judgeLookRows } from "../judge/look.ts";
import { concludeVisit, faultsOf } from "./conclude.ts";
import { judgeAgain, type JudgedAgain, type StoredEvidence } from "./judge-again.ts";
import type { Conclusion, LookTry, Orders, OwnerAnswer, VerificationKind } from "./orders.ts";
import { keepMark, type Mark } from "./mark.ts";
import { sharedNow } from "./shared-clock.ts";

/** What every thread is given when it starts. */
export interface Setting {
  allowNetworks: Networks;
  dnsServers?: readonly string[];
  userAgent: string;
  roots?: readonly string[];
}

export interface ThreadData {
  setting: Setting;
  /** Where threads have priorities of their own (Linux), requests to this server go before visits to others. */
  niceness: number;
  mark: Mark;
}

/** To continue a vetted visit; with `giveUp`, to judge the page as one that could not be visited. */
interface Verification {
  order: Orders[VerificationKind];
  known: KnownNames;
  giveUp?: GiveUpCode;
}

/** To ask the owner of a vetted URL's origin whether public scans are refused. */
export interface OwnerQuestion {
  askOwnerOf: string;
  known: KnownNames;
}

/**
 * To look at a URL once, within `maxMs`; `known`: what names resolved to at the try before. `endsBy`: the `sharedNow()` from
 * which the site is asked nothing more.
 */
export interface LookOrder {
  lookAt: string;
  known: KnownNames;
  maxMs: number;
  endsBy: number;
}

/** To do what a thread's first look would else be late for. */
export interface WarmUp {
  warmUp: true;
}

export type Task =
  | Verification
  | OwnerQuestion
  | LookOrder
  | WarmUp
  | { judgeAgain: StoredEvidence };
export type Outcome = Conclusion | OwnerAnswer | LookTry | JudgedAgain;

/** A message to a thread: do a task, or abort it. */
export type Call = { number: number; task: Task } | { number: number; abort: true };

/**
 * What it says when a look sends a request, when a visit has ended, and its reply; nothing for an aborted call.
 */
export type Reply =
  | { number: number; isAsking: true }
  | { number: number; isJudging: true }
  | { number: number; outcome: Outcome }
  | { number: number; error: unknown };

const { setting, niceness, mark } = workerData as ThreadData;
if (platform() === "linux") setPriority(niceness);
const { allowNetworks, dnsServers, userAgent, roots } = setting;
const network = openNetwork(allowNetworks, dnsServers);
void network.translations?.();
const probe = createProbe({
  network,
  userAgent,
  ...(roots && { roots }),
});
const WARM_UP_MS = 1000;
const marking = keepMark(mark);
const running = new Map<number, AbortController>();

class ClaimOver extends Error {
  constructor() {
    super("the time in which the site may be asked is over");
    this.name = "ClaimOver";
  }
}

parentPort?.on("message", (call: Call) => {
  if ("abort" in call) running.get(call.number)?.abort();
  else marking.run(call.number, () => void answer(call.number, call.task));
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
    (outcome): Reply => ({ number, outcome }),
    (error: unknown): Reply => ({ number, error }),
  );
  running.delete(number);
  post(reply);
}

interface Telling {
  onAsking: () => void;
  onVisited: () => void;
}

function perform(
  task: Task,
  signal: AbortSignal,
  { onAsking, onVisited }: Telling,
): Promise<Outcome> {
  if ("lookAt" in task) return look(task, signal, onAsking);
  if ("warmUp" in task) return warmUp(signal);
  if ("judgeAgain" in task) return judgeAgain(task.judgeAgain);
  return "order" in task ? verify(task, signal, onVisited) : askOwner(task, signal);
}

async function look(
  order: LookOrder,
  signal: AbortSignal,
  onRequest: () => void,
): Promise<LookTry> {
  const startedAt = performance.now();
  const isOver = () => sharedNow() >= order.endsBy;
  const visit = await probe.vet(order.lookAt, signal, order.known);
  const onAsking = (step: AskingStep) => {
    if (isOver()) throw new ClaimOver();
    if (step === "request") onRequest();
  };
  try {
    const maxMs = order.maxMs - (performance.now() - startedAt);
    const evidence = await probe.look(visit, { url: order.lookAt, maxMs, onAsking }, signal);
    if (isOver()) throw new ClaimOver();
    const judged = judgeLookRows(evidence);
    const seen = judgeLook(evidence, judged);
    const known = seen.outcome === "failed" ? visit.known : [];
    return { look: seen, known, faults: faultsOf(judged) };
  } finally {
    visit.close();
  }
}

/** Looks at a URL that is refused, once the network is known. */
async function warmUp(signal: AbortSignal): Promise<LookTry> {
  await network.translations?.();
  const order = { lookAt: "", known: [], maxMs: WARM_UP_MS, endsBy: Infinity };
  return look(order, signal, () => {});
}

async function askOwner(
  { askOwnerOf, known }: OwnerQuestion,
  signal: AbortSignal,
): Promise<OwnerAnswer> {
  const visit = await probe.vet(askOwnerOf, signal, known);
  try {
    return await probe.askOwner(visit, signal);
  } finally {
    visit.close();
  }
}

async function verify(
  { order, known, giveUp }: Verification,
  signal: AbortSignal,
  onVisited: () => void,
): Promise<Conclusion> {
  const visit = await probe.vet(order.request.url, signal, known);
  try {
    if (giveUp) return await concludeVisit(giveUpVisit(visit, order.request, giveUp), order);
    return await visitAndConclude(visit, order, signal, onVisited);
  } finally {
    visit.close();
  }
}

/** An error of our own does not leave a check without a result. */
async function visitAndConclude(
  visit: Visit,
  order: Verification["order"],
  signal: AbortSignal,
  onVisited: () => void,
): Promise<Conclusion> {
  try {
    const evidence = await probe.run(visit, order.request, signal);
    onVisited();
    return await concludeVisit(evidence, order);
  } catch (error) {
    signal.throwIfAborted();
    const { result, faults } = await concludeVisit(
      giveUpVisit(visit, order.request, "failed"),
      order,
    );
    return { result, faults: [...faults, { rule: null, error }] };
  }
}
