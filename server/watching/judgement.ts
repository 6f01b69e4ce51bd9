import { setTimeout as sleep } from "node:timers/promises";
import { listGoodUrls } from "../db/watching/good-urls.ts";
import type { Deps } from "../deps.ts";
import type { Look } from "../engine/judge/look-outcome.ts";
import { domainOf } from "../base/syntax/host-pattern.ts";
import { lookOnce } from "../checks/look-once.ts";
import type { RunningLooks } from "./running-looks.ts";

/** Withholds judgement of failures while nothing else answers this server either. */
export interface Judgement {
  /** Downgrades a failure without an answer to inconclusive if none of three other URLs answers. Never rejects. */
  confirm(look: Look, url: string): Promise<Look>;
  /** From now on, also withholds judgement each time the process has stood still. */
  watch(): void;
}

interface Options {
  /** Returns different URLs each time, all good when last probed. */
  findGood: () => Promise<string[]>;
  /** Never rejects. */
  lookAt: (url: string) => Promise<Look>;
  runningLooks: Pick<RunningLooks, "hasRoom" | "begin">;
  /** How long this process has stood still in total, in milliseconds. */
  standstill: () => number;
  log: { warn: Note; info: Note };
  onChange: (isWithheld: boolean) => void;
  draining: AbortSignal;
  /** The pause between two attempts while judgement is withheld. */
  againMs?: number;
  /** Judgement resumes after this time even if nothing answers. */
  maxMs?: number;
}

type Note = (what: object, line: string) => void;

/** `answer` rejects if the URL does not answer. */
interface Peer {
  domain: string;
  answer: Promise<void>;
}

const PEERS = 3;
/** The minimum time between two rounds of peers. All failures that arrive during this time share the next round. */
const PAUSE_MS = 1000;
const AGAIN_MS = 10_000;
const MAX_MS = 300_000;
/** Short enough that a probe, the current round of peers and the next one end within the lease of a claim. */
const PEER_MS = 4000;
/** The interval at which the process checks whether it stood still. */
const WATCH_MS = 1000;
/** A standstill of this length withholds judgement. */
const STILL_MS = 2000;

export function openJudgement(deps: Omit<Deps, "judgement">): Judgement {
  const { database, networks, metrics, log, draining, runningLooks, locationHealth } = deps;
  return createJudgement({
    findGood: () => listGoodUrls(database.sql),
    lookAt: async (url) => {
      const order = { lookAt: url, known: [], maxMs: PEER_MS, endsBy: Infinity };
      return (await lookOnce(deps, order)).look;
    },
    runningLooks,
    standstill: networks.checks.standstill ?? (() => 0),
    log,
    onChange(isWithheld) {
      metrics.judgementWithheld.set(isWithheld ? 1 : 0);
      locationHealth.setWithheld(isWithheld);
    },
    draining,
  });
}

export function createJudgement(options: Options): Judgement {
  const { findGood, lookAt, runningLooks, standstill, log, onChange, draining } = options;
  const { againMs = AGAIN_MS, maxMs = MAX_MS } = options;
  let isWithheld = false;
  /** True if judgement was withheld for the longest allowed time and nothing has answered since. */
  let isSpent = false;
  let answeredAt = -Infinity;
  let waiting = new Set<string>();
  let next: Promise<Peer[]> | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  const isAnsweredLately = () => performance.now() - answeredAt <= AGAIN_MS;

  /**
   * Does not wait for a busy host, since the wait would outlast the lease. Such a host counts as answering if any site answered recently.
   */
  async function probePeer(url: string): Promise<void> {
    if (!runningLooks.hasRoom(url)) {
      if (isAnsweredLately()) return;
      throw new Error(`${domainOf(url)} is being asked already, and nothing has answered lately.`);
    }
    const end = runningLooks.begin({ url });
    const look = await lookAt(url).finally(end);
    if (!look.isAnswered) throw new Error(`${domainOf(url)} does not answer.`);
    answeredAt = performance.now();
  }

  async function probePeers(failing: ReadonlySet<string>): Promise<Peer[]> {
    const good = await findGood();
    const hasNoRoom = (url: string) => Number(!runningLooks.hasRoom(url));
    const peers = choosePeers(
      good.toSorted((one, other) => hasNoRoom(one) - hasNoRoom(other)),
      failing,
    );
    return peers.map(({ url, domain }) => {
      const answer = probePeer(url);
      answer.catch(() => undefined);
      return { domain, answer };
    });
  }

  function probeNextPeers(): Promise<Peer[]> {
    const failing = waiting;
    waiting = new Set();
    next = undefined;
    const asked = probePeers(failing);
    const isOver = asked.then((peers) => Promise.allSettled(peers.map(({ answer }) => answer)));
    turn = Promise.allSettled([isOver, sleep(PAUSE_MS, undefined, { ref: false })]);
    return asked;
  }

  function joinNext(domain: string): Promise<Peer[]> {
    waiting.add(domain);
    return (next ??= turn.then(probeNextPeers));
  }

  async function isBelieved(url: string): Promise<boolean> {
    const domain = domainOf(url);
    const others = (await joinNext(domain)).filter((peer) => peer.domain !== domain);
    if (others.length < PEERS) return true;
    if (await doesAnyAnswer(others)) isSpent = false;
    else if (!isSpent) withhold("nothing answers this server", others, againMs);
    return !isWithheld;
  }

  function withhold(why: string, asked: readonly Peer[], firstMs: number): void {
    if (isWithheld) return;
    isWithheld = true;
    onChange(true);
    log.warn({ asked: asked.map(({ domain }) => domain) }, `judgement withheld: ${why}`);
    void waitForAnswer(firstMs);
  }

  async function waitForAnswer(firstMs: number): Promise<void> {
    const endsAt = performance.now() + maxMs;
    let hasAnswer = false;
    let restMs = firstMs;
    while (!hasAnswer && !draining.aborted && performance.now() < endsAt) {
      await rest(restMs);
      hasAnswer = await probePeers(new Set()).then(doesAnyAnswer, () => false);
      restMs = Math.min(againMs, Math.max(0, endsAt - performance.now()));
    }
    if (draining.aborted) return;
    isWithheld = false;
    isSpent = !hasAnswer;
    onChange(false);
    log.info({ hasAnswer }, "looks are judged again");
  }

  const rest = (ms: number) =>
    sleep(ms, undefined, { ref: false, signal: draining }).catch(() => undefined);

  /** A probe that runs during a standstill ends without an answer, even if the answer had arrived. */
  async function watchStandstill(): Promise<void> {
    let before = standstill();
    while (!draining.aborted) {
      await rest(WATCH_MS);
      const stoodMs = standstill() - before;
      before += stoodMs;
      if (stoodMs < STILL_MS) continue;
      const peers = await probePeers(new Set()).catch(() => []);
      if (peers.length >= PEERS)
        withhold(`this server stood still for ${Math.round(stoodMs / 1000)} s`, peers, 0);
    }
  }
  let watching: Promise<void> | undefined;

  return {
    watch() {
      watching ??= watchStandstill();
    },
    async confirm(look, url) {
      if (look.isAnswered) answeredAt = performance.now();
      const isSuspect = look.isOwnFault
        ? !isAnsweredLately()
        : look.outcome === "failed" && !look.isAnswered;
      if (!isSuspect || draining.aborted) return look;
      const believed = !isWithheld && (await isBelieved(url).catch(() => false));
      if (believed || look.isOwnFault) return look;
      return { ...look, outcome: "inconclusive", reason: null, score: null, isOwnFault: true };
    },
  };
}

const doesAnyAnswer = (peers: readonly Peer[]): Promise<boolean> =>
  Promise.any(peers.map(({ answer }) => answer)).then(
    () => true,
    () => false,
  );

/** Returns three domains that do not fail. If there are fewer, adds failing ones up to four, so that each domain has three others. */
function choosePeers(
  good: readonly string[],
  failing: ReadonlySet<string>,
): { url: string; domain: string }[] {
  const byDomain = new Map(good.map((url) => [domainOf(url), url]));
  const all = [...byDomain].map(([domain, url]) => ({ domain, url }));
  const isFailing = ({ domain }: { domain: string }) => failing.has(domain);
  const others = all.filter((peer) => !isFailing(peer)).slice(0, PEERS);
  if (others.length === PEERS) return others;
  return [...others, ...all.filter(isFailing)].slice(0, PEERS + 1);
}
