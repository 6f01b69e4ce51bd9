import { availableParallelism } from "node:os";
import { OWNER_TIMEOUT_MS, SITEMAP_NAMES, SITEMAP_TIMEOUT_MS } from "../../base/bounds.ts";
import { findProgram } from "../../base/program.ts";
import type { GiveUpCode } from "../evidence/exchange.ts";
import type { KnownNames } from "../net/guard.ts";
import { Interrupted, type RunOptions, startThread, type CheckThread } from "./check-thread.ts";
import type { JudgedAgain, StoredEvidence } from "./judge-again.ts";
import type { CheckKind } from "../finished.ts";
import type { Conclusion, LookOrder, Orders, Results, Task, TaskKind } from "./orders.ts";
import type { Setting } from "./thread-program.ts";
import { findUrl } from "../../base/syntax/url.ts";

const MAX_THREADS = 4;
/** A check is started again only if at least this much time is left; an ordinary site takes a second. */
const MIN_REPEAT_MS = 2000;
/** How much later than an owner had to answer the thread may say so: it may have to start first, which takes seconds on a busy machine. */
const LATENESS_MS = 7000;
/** A look's thread is at work already. */
const LOOK_LATENESS_MS = 1000;
/** It takes milliseconds, but the thread may have to start first. */
const JUDGE_MS = 10_000;
/** It starts a thread, which takes seconds on a busy machine, and asks a name server. */
const WARM_UP_MS = 15_000;
const SUSPICION_MS = 3_600_000;
/** Next to busy processes such a thread gets two fifths of one's time; at 10 it got a tenth, and checks ended late. */
const NICENESS = 4;
/** Scans give way to all else. */
const NICENESS_OF_SCANS = 7;

/** A verification to be made in a thread. */
export interface Commission<Kind extends CheckKind> {
  order: Orders[Kind];
  known: KnownNames;
  /** The account responsible if the verification ends its thread. */
  owner: string;
  /** The `performance.now()` after which its result is useless. */
  endsBy: number;
  /** Called when the visit has ended; twice if another check ends the thread after that. */
  onJudging?: (() => void) | undefined;
  /** Does not visit the page, and judges it as one that could not be visited, for this reason. */
  giveUp?: GiveUpCode;
}

/** The threads in which sites are visited and judged, so that nothing a site sends can block this one. */
export interface Threads {
  /** Starts a thread, so that the first call does not wait for it. */
  open(): void;
  /**
   * Resolves once a thread for looks has answered and has loaded what its first look needs. Rejects with the signal's
   * reason when it aborts, and with `Interrupted`.
   */
  warmUp(signal: AbortSignal): Promise<void>;
  /**
   * Continues a vetted visit. If its thread is ended by another check, it starts again, once. Rejects with the
   * signal's reason when it aborts, and with `Interrupted`.
   */
  run<Kind extends CheckKind>(
    kind: Kind,
    commission: Commission<Kind>,
    signal: AbortSignal,
  ): Promise<Conclusion<Kind>>;
  /**
   * Asks the owner of a vetted URL's origin whether public scans are refused. Rejects with the signal's reason when it
   * aborts, and with `Interrupted`.
   */
  askOwner(
    origin: Orders["owner"] & { known: KnownNames },
    signal: AbortSignal,
  ): Promise<Results["owner"]>;
  /**
   * Reads the sitemap at a URL, for this account; what harms the thread cannot be reached. Rejects with the signal's reason
   * when it aborts.
   */
  readSitemaps(sitemapAt: string, owner: string, signal: AbortSignal): Promise<Results["sitemap"]>;
  /**
   * Looks at a URL once. Rejects with the signal's reason when it aborts, and with `Interrupted`, a second after the
   * order's time at the latest. `known`: what names resolved to at the try before. `onAsking` is called right before each
   * request.
   */
  look(
    order: LookOrder & { known: KnownNames },
    signal: AbortSignal,
    onAsking?: () => void,
  ): Promise<Conclusion<"look">>;
  /** Judges evidence again, for this account. Rejects with the signal's reason when it aborts, and with `Interrupted`. */
  judgeAgain(stored: StoredEvidence, owner: string, signal: AbortSignal): Promise<JudgedAgain>;
  close(): Promise<void>;
}

export interface ThreadsOptions {
  /** The program of a thread; tests use one that hangs. */
  file?: string | URL;
  size?: number;
  onEnd?: (error: Interrupted) => void;
}

/** Up to `size` threads of one priority. */
interface Crew {
  readonly size: number;
  readonly niceness: number;
  readonly threads: Set<CheckThread>;
}

/**
 * Threads start as needed, one per processor except one for this thread. The checks of an owner that ended a thread
 * run apart from the others for an hour, in one extra thread. Looks have as many threads again, and scans one.
 */
export function createThreads(setting: Setting, options: ThreadsOptions = {}): Threads {
  const file = options.file ?? findProgram("thread-program");
  const processors = availableParallelism();
  const size = options.size ?? Math.min(Math.max(processors - 1, 1), MAX_THREADS);
  const shared: Crew = { size, niceness: NICENESS, threads: new Set() };
  const apart: Crew = { size: 1, niceness: NICENESS, threads: new Set() };
  const forScans: Crew = { size: 1, niceness: NICENESS_OF_SCANS, threads: new Set() };
  const forLooks: Crew = { size, niceness: NICENESS, threads: new Set() };
  const suspects = new Map<string, number>();

  function start({ niceness, threads }: Crew): CheckThread {
    const thread = startThread(file, { setting, niceness }, (error, culprit) => {
      threads.delete(thread);
      if (culprit !== undefined) suspects.set(culprit, performance.now());
      options.onEnd?.(error);
    });
    threads.add(thread);
    return thread;
  }

  function isSuspect(owner: string): boolean {
    for (const [one, since] of suspects)
      if (performance.now() - since > SUSPICION_MS) suspects.delete(one);
    return suspects.has(owner);
  }

  function choose(usual: Crew, owner: string): CheckThread {
    const crew = usual !== forScans && isSuspect(owner) ? apart : usual;
    const [least] = [...crew.threads].toSorted(
      (one, other) => one.stalledMs - other.stalledMs || one.load - other.load,
    );
    if (least && (least.load === 0 || crew.threads.size >= crew.size)) return least;
    return start(crew);
  }

  async function runOnce<Kind extends CheckKind>(
    kind: Kind,
    { owner, order, known, endsBy, onJudging, giveUp }: Commission<Kind>,
    signal: AbortSignal,
  ): Promise<Conclusion<Kind>> {
    const task = { kind, order, known, ...(giveUp && { giveUp }) };
    const maxMs = endsBy - performance.now();
    const crew = kind === "scan" ? forScans : shared;
    return runIn(crew, task, { owner, maxMs, signal, onJudging });
  }

  async function runIn<Kind extends TaskKind>(
    crew: Crew,
    task: Task<Kind>,
    call: RunOptions,
  ): Promise<Conclusion<Kind>> {
    const thread = choose(crew, call.owner);
    try {
      return await thread.run(task, call);
    } finally {
      if (thread.load === 0 && apart.threads.delete(thread)) void thread.close();
    }
  }

  return {
    open() {
      if (shared.threads.size === 0) start(shared);
    },
    async run(kind, commission, signal) {
      signal.throwIfAborted();
      try {
        return await runOnce(kind, commission, signal);
      } catch (error) {
        const isLost = error instanceof Interrupted && !error.isOwnDoing && error.why !== "late";
        if (!isLost || performance.now() + MIN_REPEAT_MS > commission.endsBy) throw error;
        signal.throwIfAborted();
        return runOnce(kind, commission, signal);
      }
    },
    async askOwner({ known, ...order }, signal) {
      signal.throwIfAborted();
      const maxMs = OWNER_TIMEOUT_MS + LATENESS_MS;
      const call = { owner: order.askOwnerOf, maxMs, signal };
      return (await runIn(forScans, { kind: "owner", order, known }, call)).result;
    },
    async readSitemaps(sitemapAt, owner, signal) {
      signal.throwIfAborted();
      const task = { kind: "sitemap", order: { sitemapAt }, known: [] } as const;
      const call = { owner, maxMs: SITEMAP_TIMEOUT_MS + LATENESS_MS, signal };
      try {
        return (await runIn(forScans, task, call)).result;
      } catch (error) {
        if (error instanceof Interrupted) return { failure: "unreachable", names: SITEMAP_NAMES };
        throw error;
      }
    },
    async warmUp(signal) {
      signal.throwIfAborted();
      const task = { kind: "warmUp", order: null, known: [] } as const;
      await runIn(forLooks, task, { owner: "", maxMs: WARM_UP_MS, signal });
    },
    async look({ known, ...order }, signal, onAsking) {
      signal.throwIfAborted();
      const owner = findUrl(order.lookAt)?.hostname ?? "";
      const maxMs = order.maxMs + LOOK_LATENESS_MS;
      const call = { owner, maxMs, signal, onAsking };
      return runIn(forLooks, { kind: "look", order, known }, call);
    },
    async judgeAgain(stored, owner, signal) {
      signal.throwIfAborted();
      const task = { kind: "judgeAgain", order: stored, known: [] } as const;
      return (await runIn(shared, task, { owner, maxMs: JUDGE_MS, signal })).result;
    },
    async close() {
      const crews = [shared, apart, forLooks, forScans];
      const all = crews.flatMap(({ threads }) => [...threads]);
      for (const { threads } of crews) threads.clear();
      await Promise.all(all.map((thread) => thread.close()));
    },
  };
}
