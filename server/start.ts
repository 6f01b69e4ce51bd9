import { readFile } from "node:fs/promises";
import { watchFile, unwatchFile } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { Server as HttpsServer } from "node:https";
import { isIP, type AddressInfo } from "node:net";
import { createSecureContext } from "node:tls";
import type { createApp } from "./app.ts";
import type { Config } from "./config.ts";
import type { Deps, DepsOptions } from "./deps.ts";
import { AppError } from "./errors.ts";
import { openInstance, type Instance } from "./instance.ts";

export interface StartOptions extends Pick<DepsOptions, "roots" | "threadFile" | "writeLog"> {
  config: Config;
  host: string;
  port: number;
  command: string;
}

/** A server that listens; `drain` ends it in good order. */
export interface RunningServer {
  readonly url: string;
  readonly perform: Instance["perform"];
  readonly deps: Deps;
  drain(): Promise<void>;
}

const DRAIN_MS = 20_000;
const LAST_ANSWERS_MS = 1000;
const DRAIN_POLL_MS = 50;
const CERTIFICATE_POLL_MS = 2000;

const isLoopback = (host: string) =>
  host === "localhost" || host === "::1" || (isIP(host) === 4 && host.startsWith("127."));

/** Refuses to carry tokens over a network in the clear. */
function requireSafeHost(host: string, config: Config): void {
  if (isLoopback(host) || config.tls || config.behindTlsProxy) return;
  throw new AppError(
    "usage",
    `Tokens would cross the network in the clear on ${host}. Set SHIPSCORE_TLS_CERT and SHIPSCORE_TLS_KEY, or SHIPSCORE_BEHIND_TLS_PROXY=1 behind a proxy that ends TLS.`,
  );
}

async function readCertificate({ certFile, keyFile }: NonNullable<Config["tls"]>) {
  try {
    const certificate = { cert: await readFile(certFile), key: await readFile(keyFile) };
    createSecureContext(certificate);
    return certificate;
  } catch (error) {
    throw new AppError(
      "usage",
      "SHIPSCORE_TLS_CERT and SHIPSCORE_TLS_KEY do not name a certificate and its key, PEM files that can be read.",
      { cause: error },
    );
  }
}

/** Takes a renewed certificate into use without a restart; one that does not load leaves the old one in place. */
function followCertificate(
  server: HttpsServer,
  files: NonNullable<Config["tls"]>,
  deps: Deps,
): () => void {
  const reload = () => {
    readCertificate(files)
      .then((certificate) => server.setSecureContext(certificate))
      .then(() => deps.log.info("certificate reloaded"))
      .catch((error: unknown) =>
        deps.log.error({ err: error }, "certificate not reloaded; the old one stays"),
      );
  };
  const paths = [files.certFile, files.keyFile];
  for (const path of paths) watchFile(path, { interval: CERTIFICATE_POLL_MS }, reload).unref();
  return () => paths.forEach((path) => unwatchFile(path, reload));
}

function serveMetrics(
  deps: Deps,
  { host, port }: NonNullable<Config["metricsAddress"]>,
): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    deps.metrics.registry.metrics().then(
      (text) =>
        response.writeHead(200, { "content-type": deps.metrics.registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  return new Promise((resolve, reject) => {
    server.once("error", () =>
      reject(
        new AppError(
          "refused_operation",
          `SHIPSCORE_METRICS_ADDRESS: cannot listen on ${host}:${port}.`,
        ),
      ),
    );
    server.listen(port, host, () => resolve(server));
  });
}

/** Config -> database -> app -> cycle -> listen. Throws before anything listens when a part cannot start. */
export async function startServer(options: StartOptions): Promise<RunningServer> {
  const { config, host, port } = options;
  requireSafeHost(host, config);
  const tls = config.tls && (await readCertificate(config.tls));
  const stop = new AbortController();
  const loading = Promise.all([import("./app.ts"), import("./cycle/schedule.ts")]);
  const instance = await openInstance(config, options.command, {
    writeLog: options.writeLog,
    stopping: stop.signal,
    ...(options.roots && { roots: options.roots }),
    ...(options.threadFile && { threadFile: options.threadFile }),
  });
  if (!instance.local) {
    const { command, pid, since } = instance.holder;
    throw new AppError(
      "refused_operation",
      `The data directory ${config.dataDir} is in use by \`${command}\` (process ${pid}, since ${since}). Stop it, or choose another with --data-dir.`,
    );
  }
  const { deps } = instance;
  let draining = false;
  let metricsServer: Server | undefined;
  try {
    const [{ createApp }, { startCycle }] = await loading;
    const app = await createApp(deps, { isDraining: () => draining, ...(tls && { tls }) });
    metricsServer = config.metricsAddress && (await serveMetrics(deps, config.metricsAddress));
    const running = trackAnswers(app.server);
    await listen(app, host, port);
    deps.threads.open();
    void deps.network.translations?.();
    const cycle = startCycle(deps);
    const unfollow = config.tls
      ? followCertificate(app.server as unknown as HttpsServer, config.tls, deps)
      : () => {};
    const { port: boundPort } = app.server.address() as AddressInfo;
    return {
      url: `${tls ? "https" : "http"}://${isIP(host) === 6 ? `[${host}]` : host}:${boundPort}`,
      perform: instance.perform,
      deps,
      async drain() {
        draining = true;
        unfollow();
        await drainConnections(app.server, running, () => stop.abort());
        stop.abort();
        await cycle.stop();
        metricsServer?.close();
        await app.close();
        await instance.close();
      },
    };
  } catch (error) {
    metricsServer?.close();
    await instance.close();
    throw error;
  }
}

async function listen(
  app: Awaited<ReturnType<typeof createApp>>,
  host: string,
  port: number,
): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EADDRINUSE") {
      throw new AppError(
        "refused_operation",
        `Port ${port} of ${host} is in use. Choose another with --port.`,
        { cause: error },
      );
    }
    throw error;
  }
}

/**
 * Stops accepting, lets running requests end for 20 s, then has them answered with 503 and cuts what is left. Once none
 * runs, connections that are idle are closed at once and those with half a request after a second: Node's own close
 * waits for both.
 */
async function drainConnections(
  server: Server,
  running: ReadonlySet<ServerResponse>,
  abort: () => void,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  for (const response of running) {
    if (!response.headersSent) response.setHeader("connection", "close");
  }
  const started = performance.now();
  const look = setInterval(() => {
    const elapsedMs = performance.now() - started;
    const isServing = [...running].some(({ req }) => req.complete);
    server.closeIdleConnections();
    if (elapsedMs > DRAIN_MS) abort();
    if (elapsedMs > (isServing ? DRAIN_MS : 0) + LAST_ANSWERS_MS) server.closeAllConnections();
  }, DRAIN_POLL_MS);
  server.closeIdleConnections();
  await closed;
  clearInterval(look);
}

/** The answers that a server has begun and not ended. */
function trackAnswers(server: Server): ReadonlySet<ServerResponse> {
  const running = new Set<ServerResponse>();
  server.on("request", (_request, response) => {
    running.add(response);
    response.once("close", () => running.delete(response));
  });
  return running;
}
