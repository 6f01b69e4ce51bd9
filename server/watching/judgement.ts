import { setTimeout as sleep } from "node:timers/promises";
import { listGoodUrls } from "../db/watching/good-urls.ts";
import type { Deps } from "../deps.ts";
import type { Look } from "../engine/judge/look-outcome.ts";
import { domainOf } from "../base/syntax/host-pattern.ts";
import { lookOnce } from "../checks/look-once.ts";
import type { RunningLooks } from "./running-looks.ts";

/**
 * Tells failures of sites from those of this server and its network: where nothing else answers either, judgement is
 * withheld.
 */
export interface Judgement {
  /**
   * Returns the look as it may be held against its URL: inconclusive if it failed without an answer, and none of three
   * URLs of other domains that were good at their last look answers now. Never rejects.
   */
  confirm(look: Look, url: string): Promise<Look>;
  /** Withholds judgement after the process stood still, from the first call until the process drains. */
  watch(): void;
}

interface Options {
  /** Some URLs that were good at their last look, each time others. */
  findGood: () => Promise<string[]>;
  /** Looks at a URL once; never rejects. */
  lookAt: (url: string) => Promise<Look>;
  runningLooks: Pick<RunningLooks, "hasRoom" | "begin">;
  /** For how long this process has stood still in all, in milliseconds. */
  standstill: () => number;
  log: { warn: Note; info: Note };
  /** Is told whenever judgement is withheld, or passed again. */
  tell: (isWithheld: boolean) => void;
  draining: AbortSignal;
  /** Between two tries while judgement is withheld. */
  againMs?: number;
  /** After which it is passed whatever answers. */
  maxMs?: number;
}

type Note = (what: object, line: string) => void;

/** A URL that is asked whether anything answers; `answer` rejects if it does not. */
interface Peer {
  domain: string;
  answer: Promise<void>;
}

const PEERS = 3;
/** The least time between two beginnings of asking, since those who wait share what is asked next. */
const PAUSE_MS = 1000;
const AGAIN_MS = 10_000;
const MAX_MS = 300_000;
/** A look, the asking before, and the next one end within the lease of a claim. */
const PEER_MS = 4000;
/** How often it is looked whether this process stood still, and for how long that may be. */
const WATCH_MS = 1000;
const STILL_MS = 2000;

/** The judgement of a process that looks at watched URLs. */
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
    tell(isWithheld) {
      metrics.judgementWithheld.set(isWithheld ? 1 : 0);
      locationHealth.withhold(isWithheld);
    },
    draining,
  });
}

export function createJudgement(options: Options): Judgement {
  const { findGood, lookAt, runningLooks, standstill, log, tell, draining } = options;
  const { againMs = AGAIN_MS, maxMs = MAX_MS } = options;
  let isWithheld = false;
  /** Judgement has been withheld for as long as it may be, and nothing has answered since. */
  let isSpent = false;
  let answeredAt = -Infinity;
  let waiting = new Set<string>();
  let next: Promise<Peer[]> | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  const isAnsweredLately = () => performance.now() - answeredAt <= AGAIN_MS;

  /** Where a host has its looks already, whatever answered lately stands for it: to wait would outlast the lease. */
  async function getAnswer(url: string): Promise<void> {
    if (!runningLooks.hasRoom(url)) {
      if (isAnsweredLately()) return;
      throw new Error(`${domainOf(url)} is being asked already, and nothing has answered lately.`);
    }
    const end = runningLooks.begin({ url });
    const look = await lookAt(url).finally(end);
    if (!look.isAnswered) throw new Error(`${domainOf(url)} does not answer.`);
    answeredAt = performance.now();
  }

  async function ask(failing: ReadonlySet<string>): Promise<Peer[]> {
    const good = await findGood();
    const hasNoRoom = (url: string) => Number(!runningLooks.hasRoom(url));
    const peers = choosePeers(
      good.toSorted((one, other) => hasNoRoom(one) - hasNoRoom(other)),
      failing,
    );
    return peers.map(({ url, domain }) => {
      const answer = getAnswer(url);
      answer.catch(() => undefined);
      return { domain, answer };
    });
  }

  function askNext(): Promise<Peer[]> {
    const failing = waiting;
    waiting = new Set();
    next = undefined;
    const asked = ask(failing);
    const isOver = asked.then((peers) => Promise.allSettled(peers.map(({ answer }) => answer)));
    turn = Promise.allSettled([isOver, sleep(PAUSE_MS, undefined, { ref: false })]);
    return asked;
  }

  /** What is asked after this call, for all who wait for it. */
  function joinNext(domain: string): Promise<Peer[]> {
    waiting.add(domain);
    return (next ??= turn.then(askNext));
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
    tell(true);
    log.warn({ asked: asked.map(({ domain }) => domain) }, `judgement withheld: ${why}`);
    void waitForAnswer(firstMs);
  }

  async function waitForAnswer(firstMs: number): Promise<void> {
    const endsAt = performance.now() + maxMs;
    let hasAnswer = false;
    let restMs = firstMs;
    while (!hasAnswer && !draining.aborted && performance.now() < endsAt) {
      await rest(restMs);
      hasAnswer = await ask(new Set()).then(doesAnyAnswer, () => false);
      restMs = Math.min(againMs, Math.max(0, endsAt - performance.now()));
    }
    if (draining.aborted) return;
    isWithheld = false;
    isSpent = !hasAnswer;
    tell(false);
    log.info({ hasAnswer }, "looks are judged again");
  }

  const rest = (ms: number) =>
    sleep(ms, undefined, { ref: false, signal: draining }).catch(() => undefined);

  /** A process that stood still has looks under way that end for want of an answer that was there. */
  async function watchStandstill(): Promise<void> {
    let before = standstill();
    while (!draining.aborted) {
      await rest(WATCH_MS);
      const stoodMs = standstill() - before;
      before += stoodMs;
      if (stoodMs < STILL_MS) continue;
      const peers = await ask(new Set()).catch(() => []);
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

/** One URL a domain, of three domains: others than those that fail if there are, else of four, so that each has three others. */
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
