import { isIP } from "node:net";
import type { Server as HttpsServer } from "node:https";
import type { FastifyInstance } from "fastify";
import { serveMetrics } from "./http/health.ts";
import {
  chooseAddress,
  drainConnections,
  followCertificate,
  isLoopback,
  limitConnections,
  listen,
  readFileLimit,
  readServerCertificate,
} from "./http/listener.ts";
import type { Config } from "./config.ts";
import type { Deps, DepsOptions } from "./deps.ts";
import { openInstance, createHeldError, type Instance } from "./instance.ts";

export interface StartOptions extends Pick<
  DepsOptions,
  "roots" | "threadFile" | "writeLog" | "deadlineMs"
> {
  config: Config;
  host: string;
  port: number;
  command: string;
  /** The interval at which background work checks for something to do. */
  tickMs?: number;
  /** Opens the check threads while the database opens, as a server with a cycle does. */
  opensThreads?: boolean;
}

export interface RunningServer {
  /** The server's URL, with the IP address instead of a host name. */
  readonly url: string;
  readonly perform: Instance["perform"];
  readonly deps: Deps;
  /** Starts no new work, and waits up to 25 s for running work. */
  drain(): Promise<void>;
  /** Ends the wait of a drain and abandons the work that is still running. */
  abandonWork(): void;
}

const DRAIN_MS = 25_000;

/** If a step fails, stops everything already started, so that no listener is left with a closed database. */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { port } = options;
  const files = readFileLimit();
  const host = await chooseAddress(options.host, options.config);
  const onLoopback = isLoopback(host);
  const config = {
    ...options.config,
    publicScan: options.config.publicScan ?? onLoopback,
    isLocal: onLoopback && !options.config.behindTlsProxy,
  };
  const tls = config.tls && (await readServerCertificate(config.tls));
  const draining = new AbortController();
  const stopping = new AbortController();
  const loading = Promise.all([
    import("./app.ts"),
    import("./watching/schedule.ts"),
    import("./watching/heartbeat.ts"),
  ]);
  /** Set by `prepare`, which every local instance calls. */
  let creating!: Promise<FastifyInstance>;
  const prepare = (deps: Deps) => {
    if (config.cycleSeconds > 0 || options.opensThreads)
      deps.threads.warmUp(draining.signal).catch(() => {});
    creating = loading.then(([{ createApp }]) => createApp(deps, tls));
    creating.catch(() => {});
  };
  const instance = await openInstance(config, options.command, {
    writeLog: options.writeLog,
    draining: draining.signal,
    stopping: stopping.signal,
    migrates: true,
    prepare,
    ...(options.deadlineMs && { deadlineMs: options.deadlineMs }),
    ...(options.roots && { roots: options.roots }),
    ...(options.threadFile && { threadFile: options.threadFile }),
  });
  if (!instance.local) throw createHeldError(config, instance.holder);
  const { deps } = instance;
  const closing: (() => unknown)[] = [() => instance.close()];
  const close = async () => {
    draining.abort();
    stopping.abort();
    for (const closePart of closing.toReversed()) await closePart();
  };
  try {
    const [, { startCycle }, { startHeartbeat }] = await loading;
    const app = await creating;
    closing.push(() => app.close());
    limitConnections(app.server, { files, trustedProxies: config.trustedProxies, log: deps.log });
    if (config.tls) {
      const server = app.server as unknown as HttpsServer;
      closing.push(followCertificate(server, config.tls, deps));
    }
    if (config.metricsAddress) {
      const server = await serveMetrics(deps, config.metricsAddress);
      closing.push(() => {
        server.close();
        server.closeAllConnections();
      });
    }
    const boundPort = await listen(app, { host, port });
    const url = `${tls ? "https" : "http"}://${isIP(host) === 6 ? `[${host}]` : host}:${boundPort}`;
    deps.site.origin = config.publicUrl ?? url;
    void deps.networks.checks.translations?.();
    startCycle(deps, options.tickMs);
    closing.push(await startHeartbeat(deps));
    let drained: Promise<void> | undefined;
    const drain = async () => {
      draining.abort();
      const patience = setTimeout(() => stopping.abort(), DRAIN_MS);
      await drainConnections(app.server, stopping.signal);
      await deps.work.end();
      clearTimeout(patience);
      await close();
    };
    return {
      url,
      perform: instance.perform,
      deps,
      drain: () => (drained ??= drain()),
      abandonWork: () => stopping.abort(),
    };
  } catch (error) {
    await close();
    throw error;
  }
}
