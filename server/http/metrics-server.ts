import type { Server } from "node:http";
import type { Registry } from "prom-client";
import type { Config } from "../config.ts";
import { AppError } from "../base/errors.ts";
import { createLimitedServer } from "./node-http.ts";

/** Serves only /metrics, on an address of its own. Throws `cannot_listen_for_metrics`. */
export function serveMetrics(
  registry: Registry,
  { host, port }: NonNullable<Config["metricsAddress"]>,
): Promise<Server> {
  const server = createLimitedServer().on("request", (request, response) => {
    if (request.url !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { "content-type": registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  return new Promise((resolve, reject) => {
    server.once("error", (error) =>
      reject(new AppError("cannot_listen_for_metrics", { host, port }, { cause: error })),
    );
    server.listen(port, host, () => resolve(server));
  });
}
