import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { AppError } from "../base/errors.ts";
import type { Config } from "../config.ts";
import type { Deps } from "../deps.ts";
import { handleRequests } from "./connections.ts";
import { isLoopback } from "./listen.ts";
import { createLimitedServer, hasSeveralHosts } from "./node-http.ts";
import { isOwnHost } from "./origin.ts";

const MAX_CONNECTIONS = 64;

/**
 * Serves only /metrics, on an address of its own; on loopback, as the doors do, to no name that is not ours. Throws
 * `cannot_listen_for_metrics`.
 */
export function serveMetrics(
  { config, log, metrics: { registry } }: Deps,
  { host, port }: NonNullable<Config["metricsAddress"]>,
): Promise<Server> {
  const server = createLimitedServer();
  server.maxConnections = MAX_CONNECTIONS;
  const handle: RequestListener = (request, response) => {
    if (hasSeveralHosts(request)) {
      response.writeHead(400, { connection: "close" }).end();
      return;
    }
    const { address } = server.address() as AddressInfo;
    if (isLoopback(address) && !isOwnHost(request.headers.host, config)) {
      response.writeHead(403).end("Ask for localhost or 127.0.0.1.\n");
      return;
    }
    if (request.url !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { "content-type": registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  };
  handleRequests(server, handle, log);
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(new AppError("cannot_listen_for_metrics", { host, port }, { cause: error })),
    );
    server.listen(port, host, () => resolve(server));
  });
}
