import { createServer, request as sendRequest } from "node:http";
import { createSecureServer } from "node:http2";
import type { Issued } from "./certificates.ts";
import { listen } from "./site.ts";

/** The proxy that an operator puts before a server: https with HTTP/2, and port 80, which redirects to https. */
export interface Front {
  port: number;
  plainPort: number;
  close(): Promise<void>;
}

/**
 * Starts a proxy that forwards requests for `host` to the server at `url`, which speaks plain HTTP/1.1. Each request has a browser's
 * `language`. By default the proxy uses a free port.
 */
export async function startFront(
  url: string,
  host: string,
  language: string,
  certificate: Issued,
  ownPort = 0,
): Promise<Front> {
  const secure = createSecureServer({ ...certificate, allowHTTP1: true }, (request, response) => {
    const headers = Object.entries(request.headers).filter(([name]) => !name.startsWith(":"));
    const { method, url: path } = request;
    const own = { host, "accept-language": language };
    const options = { method, headers: { ...Object.fromEntries(headers), ...own } };
    const forwarded = sendRequest(new URL(path, url), options, (answer) => {
      const { connection: _, "keep-alive": __, "transfer-encoding": ___, ...kept } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, kept);
      answer.pipe(response);
    });
    request.pipe(forwarded);
  });
  const port = await listen(secure, undefined, ownPort);
  const plain = createServer((request, response) => {
    response.writeHead(301, { location: `https://${host}:${port}${request.url}` }).end();
  });
  const plainPort = await listen(plain);
  return {
    port,
    plainPort,
    async close() {
      for (const server of [secure, plain])
        await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
