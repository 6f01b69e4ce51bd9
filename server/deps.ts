import { EventEmitter, setMaxListeners } from "node:events";
import { createSecretBox, type SecretBox } from "./access/secret-box.ts";
import { LEASES, type Leases } from "./base/bounds.ts";
import { userAgentOf, type Config } from "./config.ts";
import { createRunningLooks, type RunningLooks } from "./watching/running-looks.ts";
import { openJudgement, type Judgement } from "./watching/judgement.ts";
import { createLocationHealth, type LocationHealth } from "./watching/location-health.ts";
import type { DatabaseAddress } from "./db/driver/address.ts";
import { connectDatabase, type Database } from "./db/driver/sql.ts";
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
import { createHostQueues, type HostQueues } from "./checks/host-queues.ts";
import { createSemaphores, type Semaphores } from "./semaphores.ts";
import { createThreads, type Threads } from "./engine/visit/threads.ts";
import { createAccountReads, type AccountReads } from "./http/account-reads.ts";
import { createWork, type Work } from "./base/work.ts";

export interface ProcessDeps {
  readonly config: Config;
  readonly leases: Readonly<Leases>;
  readonly log: Logger;
  readonly metrics: Metrics;
  /** SHIPSCORE_PUBLIC_URL, or else the address on which the server listens. */
  readonly site: { origin: string };
  readonly semaphores: Semaphores;
  readonly work: Work;
  /**
   * `waiting` means that this process stored a new scan. `changed` means that a check or scan of this process changed state or was deleted.
   */
  readonly news: EventEmitter<{ waiting: []; changed: [id: string] }>;
  /** Aborted when the process starts to shut down. No new work starts after the abort. */
  readonly draining: AbortSignal;
  /** Aborted when the process must abandon the work that is still running. */
  readonly stopping: AbortSignal;
}

export interface StoreDeps {
  readonly database: Database;
  readonly mailer: Mailer | undefined;
  readonly secretBox: SecretBox;
  readonly accountReads: AccountReads;
  /** The salts for the hashes of public-scan visitors. */
  readonly salts: Salts;
  readonly statusPages: StatusPages;
}

export interface VisitDeps {
  /** One network per purpose; each may reach different private networks. */
  readonly networks: Readonly<Record<"checks" | "scans" | "alerts", Network>>;
  /** Vets URLs of accounts and of public scans. `threads` makes the visits. */
  readonly probe: { vet: Vet; vetScan: Vet };
  /** Posts to URLs that users entered. */
  readonly poster: Poster;
  readonly threads: Threads;
  readonly hostQueues: HostQueues;
  readonly scanState: ScanState;
  readonly runningLooks: RunningLooks;
  readonly locationHealth: LocationHealth;
  readonly judgement: Judgement;
}

/** Each function names the parts that it needs. */
export interface Deps extends ProcessDeps, StoreDeps, VisitDeps {}

export interface DepsOptions {
  config: Config;
  address: DatabaseAddress;
  writeLog: (line: string) => void;
  draining: AbortSignal;
  stopping: AbortSignal;
  /** How long a transaction may take; by default, as long as a request may wait. */
  deadlineMs?: number;
  /** Root certificates to trust; for tests, whose sites use test certificates. */
  roots?: string[];
  /** The program of the check threads; for tests, which use one that hangs. */
  threadFile?: string;
}

/** The embedded database runs in this process: it is always reachable, and slow only when the process is. */
const EMBEDDED = { connections: 1, deadlineMs: 15_000 };
const DEFAULT_ORIGIN = "http://127.0.0.1:7070";
const ALERTS_AGENT = "shipscore/1.0 (alerts)";

/** Passes on a repeated message once per second, since one failure may affect a thousand queries. */
function limitRepeats(warn: (message: string) => void): (message: string) => void {
  const recent = new Set<string>();
  return (message) => {
    if (recent.has(message)) return;
    recent.add(message);
    setTimeout(() => recent.delete(message), 1000).unref();
    warn(message);
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
  const log = createLog(config.logLevel, options.writeLog);
  const network = openNetwork(config.allowNetworks, config.dnsServers);
  const open = (allowNetworks: Networks, named: NetworkSetting): Network => ({
    ...network,
    allowNetworks,
    onPrivate: limitRepeats((host) =>
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
    onTrouble: limitRepeats((why) => log.warn({ why }, "database trouble")),
  });
  const work = createWork();
  const semaphores = createSemaphores(database.readConnections, stopping);
  const deps = {
    semaphores,
    config,
    leases: LEASES,
    site: { origin: config.publicUrl ?? DEFAULT_ORIGIN },
    networks,
    metrics,
    log,
    work,
    news: new EventEmitter<{ waiting: []; changed: [id: string] }>().setMaxListeners(0),
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
    accountReads: createAccountReads(database.sql, semaphores.reads),
    scanState: createScanState(),
    statusPages: createStatusPages(),
    hostQueues: createHostQueues(database.sql, LEASES.checkMs, stopping),
    salts: createSalts(database.sql),
    runningLooks: createRunningLooks(),
    locationHealth: createLocationHealth(config.location ?? null, { log, gauge: metrics.setAside }),
  };
  return { ...deps, judgement: openJudgement(deps) };
}
