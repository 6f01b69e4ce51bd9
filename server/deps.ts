import { HOST_BOUNDS } from "./bounds.ts";
import { userAgentOf, type Config } from "./config.ts";
import { connectDatabase, type Database, type DatabaseAddress } from "./db/sql.ts";
import { createLog, type Logger } from "./log.ts";
import { createMetrics, type Metrics } from "./metrics.ts";
import type { Network } from "./net/guard.ts";
import { createVet, type Vet } from "./net/vet.ts";
import { openNetwork } from "./net/network.ts";
import { createAdmissions, type Admissions } from "./verify/admissions.ts";
import { createSemaphore, type Semaphore } from "./verify/semaphore.ts";
import type { VerificationKind } from "./verify/orders.ts";
import { createThreads, type Threads } from "./verify/threads.ts";
import { createWork, type Work } from "./work.ts";

/** Everything that a door or a verb needs, built once and handed down. */
export interface Deps {
  readonly config: Config;
  readonly database: Database;
  readonly network: Network;
  /** Vets URLs; visits are made in `threads`. */
  readonly probe: { vet: Vet };
  readonly threads: Threads;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly vettings: Semaphore;
  /** Checks of one account and host, from before their vetting on: what a crowd waits for costs nothing. */
  readonly inFlight: Semaphore;
  /** Where an account's slots are taken and given back, two at a time: one has its lock while the other is on its way. */
  readonly slots: Semaphore;
  readonly admissions: Admissions;
  /** Those of each kind that may visit at once in this process, so that none keeps the others waiting. */
  readonly places: Readonly<Record<VerificationKind, Semaphore>>;
  /** What outlives whoever asked for it, and what nobody asked for: the process ends after it. */
  readonly work: Work;
  /** Aborted when the process is to end: nothing more is begun. */
  readonly draining: AbortSignal;
  /** Aborted when it must let go of what still runs. */
  readonly stopping: AbortSignal;
}

export interface DepsOptions {
  config: Config;
  address: DatabaseAddress;
  writeLog: (line: string) => void;
  draining: AbortSignal;
  stopping: AbortSignal;
  /** For tests, whose sites have certificates of their own. */
  roots?: string[];
  /** The program of the checks' threads; for tests, which have one that hangs. */
  threadFile?: string;
}

/** It lives in this process and cannot be away; when it is slow, so is the process. */
const EMBEDDED = { connections: 1, deadlineMs: 15_000 };
const VETTINGS = { total: 64, perKey: 8 };
const IN_FLIGHT = { total: Infinity, perKey: 4 * HOST_BOUNDS.account.atOnce };
const SLOTS = { total: Infinity, perKey: 2 };
const CHECKS = { total: 32, perKey: 8 };
/** Those of the cycle and of a round beside it. */
const LOOKS = { total: 16, perKey: 16 };
const DEPLOYMENTS = { total: 8, perKey: 8 };

/** What is told of each of a thousand queries is told once. */
function onceASecond(tell: (word: string) => void): (word: string) => void {
  const told = new Set<string>();
  return (word) => {
    if (told.has(word)) return;
    told.add(word);
    setTimeout(() => told.delete(word), 1000).unref();
    tell(word);
  };
}

export function createDeps(options: DepsOptions): Deps {
  const { config, stopping } = options;
  const metrics = createMetrics();
  const setting = {
    allowNetworks: config.allowNetworks,
    userAgent: userAgentOf(config),
    ...(options.roots && { roots: options.roots }),
  };
  const log = createLog(config.logLevel, options.writeLog);
  const network = openNetwork(setting.allowNetworks);
  const database = connectDatabase(options.address, {
    connections: config.databaseConnections,
    arePrepared: config.databasePrepared,
    ...("socketPath" in options.address && EMBEDDED),
    onQuery: (durationMs) => metrics.querySeconds.observe(durationMs / 1000),
    onTrouble: onceASecond((why) => log.warn({ why }, "database trouble")),
  });
  return {
    config,
    network,
    metrics,
    log,
    work: createWork(),
    draining: options.draining,
    stopping,
    database,
    probe: { vet: createVet(network) },
    threads: createThreads(setting, {
      ...(options.threadFile && { file: options.threadFile }),
      onEnd: (error) => {
        metrics.endedThreads.inc({ reason: error.why });
        log.error({ err: error }, "a thread of checks was ended");
      },
    }),
    vettings: createSemaphore(VETTINGS, stopping),
    inFlight: createSemaphore(IN_FLIGHT, stopping),
    // Open to the end, for what is given back.
    slots: createSemaphore(SLOTS),
    admissions: createAdmissions(database.sql, stopping),
    places: {
      check: createSemaphore(CHECKS, stopping),
      look: createSemaphore(LOOKS, stopping),
      deployment: createSemaphore(DEPLOYMENTS, stopping),
    },
  };
}
