import { setMaxListeners } from "node:events";
import { HASHES } from "./access/passwords.ts";
import { createSecretBox, type SecretBox } from "./access/secret-box.ts";
import type { Leases } from "./base/bounds.ts";
import { DEPLOYMENTS_AT_ONCE, HOST_BOUNDS, LEASES, VERIFICATIONS_AT_ONCE } from "./base/bounds.ts";
import { userAgentOf, type Config } from "./config.ts";
import { createPacing, type Pacing } from "./watching/pacing.ts";
import { createPlaceHealth, type PlaceHealth } from "./watching/place-health.ts";
import { connectDatabase, type Database, type DatabaseAddress } from "./db/driver/sql.ts";
import { createLog, type Logger } from "./base/log.ts";
import { createMailer, type Mailer } from "./mail/mailer.ts";
import { createMetrics, type Metrics } from "./base/metrics.ts";
import type { NetworkSetting } from "./base/program-errors.ts";
import type { Networks } from "./engine/net/address.ts";
import type { Network } from "./engine/net/guard.ts";
import { createVet, type Vet } from "./engine/net/vet.ts";
import { createPoster, type Poster } from "./engine/net/post.ts";
import { openNetwork } from "./engine/net/network.ts";
import { createStatusPages, type StatusPages } from "./projects/known-status-pages.ts";
import { createSalts, type Salts } from "./scan/salt.ts";
import { createScanState, type ScanState } from "./scan/scan-state.ts";
import { createAdmissions, type Admissions } from "./checks/admissions.ts";
import { createSemaphore, type Semaphore } from "./checks/semaphore.ts";
import type { CheckKind } from "./engine/finished.ts";
import { createThreads, type Threads } from "./engine/visit/threads.ts";
import { createAccountReads, type AccountReads } from "./http/account-reads.ts";
import { createWork, type Work } from "./base/work.ts";

const PASSWORD_TRIES = { total: 4, perKey: 1, waiting: 200 };
const LONG_BODIES = { total: 128, perKey: 16 };

/** How much is done at the same time in this process, and how much of it for the same account, network or host. */
const SEMAPHORES = {
  vettings: { total: 64, perKey: 8 },
  /** Passwords that are hashed. */
  hashes: HASHES,
  /** Passwords that are tried: few, so that a crowd's statements do not stand before everybody else's at the database. */
  passwordTries: PASSWORD_TRIES,
  /** The same of people who are signed in, whom no crowd of visitors keeps waiting. */
  ownPasswordTries: PASSWORD_TRIES,
  /** Checks per account and host, from before they are vetted: a queued check has cost nothing yet. */
  inFlight: { total: Infinity, perKey: 4 * HOST_BOUNDS.account.atOnce },
  /** Bodies over 16 KB of strangers that are read. */
  longBodies: LONG_BODIES,
  /** The same of those for hooks that do not exist, which so keep nobody else's waiting. */
  unknownLongBodies: LONG_BODIES,
  /** Deployments that hooks tell of and that are recorded: those of one project wait for its lock. */
  recordings: { total: 2, perKey: 1 },
  /** Stored checks that are judged again. */
  judgings: { total: 8, perKey: 2 },
  /** Lists that are sent as files: their rows are in memory until they are read. */
  downloads: { total: 16, perKey: 2 },
  /** Reads for pages that anybody may request, by their networks: they use at most one connection. */
  publicReads: { total: 1, perKey: 1, waiting: 1000 },
};

type Semaphores = Readonly<Record<keyof typeof SEMAPHORES, Semaphore>>;

/** Everything that doors and verbs need, built once and passed down. */
export interface Deps extends Semaphores {
  readonly config: Config;
  readonly leases: Readonly<Leases>;
  readonly database: Database;
  /** The same network by purpose; each purpose has its own private networks that it may enter. */
  readonly networks: Readonly<Record<"checks" | "scans" | "alerts", Network>>;
  /** Vets URLs: those of accounts, and those of public scans. Visits are made in `threads`. */
  readonly probe: { vet: Vet; vetScan: Vet };
  /** Posts to URLs that people named. */
  readonly poster: Poster;
  readonly threads: Threads;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** Where people reach this server: SHIPSCORE_PUBLIC_URL, or else the address that it listens at. */
  readonly site: { origin: string };
  /** Undefined where the operator named no relay. */
  readonly mailer: Mailer | undefined;
  /** Seals the secrets that are kept in the database. */
  readonly secretBox: SecretBox;
  /**
   * Limits statements that take or give back an account's slots to two at a time: one holds the row lock while the
   * other is on its way.
   */
  readonly slots: Semaphore;
  readonly accountReads: AccountReads;
  readonly admissions: Admissions;
  /** What visitors of the public scan are hashed with. */
  readonly salts: Salts;
  readonly scanState: ScanState;
  readonly statusPages: StatusPages;
  /** Bounds how many looks of the cycle one host gets. */
  readonly pacing: Pacing;
  /** Where this server stands, and the places that judge. */
  readonly placeHealth: PlaceHealth;
  /** Limits how many visits of each kind run at the same time in this process, so that no kind holds up the others. */
  readonly places: Readonly<Record<CheckKind, Semaphore>>;
  /**
   * Background work, and work that outlives the request it was started for; the process waits for it before it ends.
   */
  readonly work: Work;
  /** Aborted when the process starts to shut down: nothing new is begun. */
  readonly draining: AbortSignal;
  /** Aborted when the process must give up whatever is still running. */
  readonly stopping: AbortSignal;
}

export interface DepsOptions {
  config: Config;
  address: DatabaseAddress;
  writeLog: (line: string) => void;
  draining: AbortSignal;
  stopping: AbortSignal;
  /** How long a transaction may take; by default as long as somebody waits for an answer. */
  deadlineMs?: number;
  /** Root certificates to trust; for tests, whose sites have certificates of their own. */
  roots?: string[];
  /** The program that the check threads run; for tests, which use one that hangs. */
  threadFile?: string;
}

/** It runs in this process, so it is never unreachable, and slow only when the process is. */
const EMBEDDED = { connections: 1, deadlineMs: 15_000 };
/** The origin of a server whose address is not known. */
const DEFAULT_ORIGIN = "http://127.0.0.1:7070";
/** The User-Agent of what is posted to targets. */
const ALERTS_AGENT = "shipscore/1.0 (alerts)";
const SLOTS = { total: Infinity, perKey: 2 };
const CHECKS = { total: 32, perKey: 8 };
/** For the cycle and a round that runs beside it. */
const VERIFICATIONS = { total: 2 * VERIFICATIONS_AT_ONCE, perKey: 2 * VERIFICATIONS_AT_ONCE };
const DEPLOYMENTS = { total: DEPLOYMENTS_AT_ONCE.total, perKey: DEPLOYMENTS_AT_ONCE.total };

/** Passes each message on at most once a second: one failure may affect a thousand queries. */
function onceASecond(tell: (word: string) => void): (word: string) => void {
  const recent = new Set<string>();
  return (word) => {
    if (recent.has(word)) return;
    recent.add(word);
    setTimeout(() => recent.delete(word), 1000).unref();
    tell(word);
  };
}

export function createDeps(options: DepsOptions): Deps {
  const { config, stopping } = options;
  setMaxListeners(0, options.draining, stopping);
  const metrics = createMetrics();
  const setting = {
    allowNetworks: config.allowNetworks,
    scanNetworks: config.scanNetworks,
    userAgent: userAgentOf(config),
    ...(config.dnsServers && { dnsServers: config.dnsServers }),
    ...(options.roots && { roots: options.roots }),
  };
  const scans = { total: config.scansAtOnce, perKey: config.scansAtOnce };
  const log = createLog(config.logLevel, options.writeLog);
  const network = openNetwork(config.allowNetworks, config.dnsServers);
  const open = (allowNetworks: Networks, named: NetworkSetting): Network => ({
    ...network,
    allowNetworks,
    onPrivate: onceASecond((host) =>
      log.info(
        { host, setting: named },
        "refused a private host, which the setting does not allow",
      ),
    ),
  });
  const networks = {
    checks: open(config.allowNetworks, "SHIPSCORE_ALLOW_NETWORKS"),
    scans: open(config.scanNetworks, "SHIPSCORE_SCAN_NETWORKS"),
    alerts: open(config.alertNetworks, "SHIPSCORE_ALERT_NETWORKS"),
  };
  const database = connectDatabase(options.address, {
    connections: config.databaseConnections,
    ...(options.deadlineMs !== undefined && { deadlineMs: options.deadlineMs }),
    ...("socketPath" in options.address && EMBEDDED),
    onQuery: (durationMs) => metrics.querySeconds.observe(durationMs / 1000),
    onTrouble: onceASecond((why) => log.warn({ why }, "database trouble")),
  });
  const work = createWork();
  const semaphores = Object.fromEntries(
    Object.entries(SEMAPHORES).map(([name, size]) => [name, createSemaphore(size, stopping)]),
  ) as Semaphores;
  return {
    ...semaphores,
    config,
    leases: LEASES,
    site: { origin: config.publicUrl ?? DEFAULT_ORIGIN },
    networks,
    metrics,
    log,
    work,
    mailer: config.mail && createMailer(config.mail, { log, work, stopping }),
    secretBox: createSecretBox({
      key: config.secretKey,
      oldKey: config.secretKeyOld,
      dataDir: "socketPath" in options.address ? config.dataDir : undefined,
    }),
    draining: options.draining,
    stopping,
    database,
    probe: { vet: createVet(networks.checks), vetScan: createVet(networks.scans) },
    poster: createPoster(
      { alerts: networks.alerts, statuses: networks.checks },
      { ...setting, userAgent: ALERTS_AGENT },
    ),
    threads: createThreads(setting, {
      ...(options.threadFile && { file: options.threadFile }),
      onEnd: (error) => {
        metrics.endedThreads.inc({ reason: error.why });
        log.error({ err: error }, "check thread ended");
      },
    }),
    // Not closed by `stopping`: slots can still be given back at the end.
    slots: createSemaphore(SLOTS),
    accountReads: createAccountReads(database, stopping),
    scanState: createScanState(stopping),
    statusPages: createStatusPages(),
    admissions: createAdmissions(database.sql, LEASES.checkMs, stopping),
    salts: createSalts(database.sql),
    pacing: createPacing(),
    placeHealth: createPlaceHealth(config.place ?? null, { log, gauge: metrics.setAside }),
    places: {
      api: createSemaphore(CHECKS, stopping),
      cycle: createSemaphore(VERIFICATIONS, stopping),
      deployment: createSemaphore(DEPLOYMENTS, stopping),
      scan: createSemaphore(scans, stopping),
    },
  };
}
