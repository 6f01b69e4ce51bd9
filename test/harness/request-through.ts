import { EventEmitter, once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { connect } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect as connectTls } from "node:tls";
import { execa } from "execa";
import { vi } from "vitest";
import { findClosedPort, getAuthority, listen } from "./site.ts";
import { environmentOf } from "./unpacked.ts";
import { configureNginx } from "./web-servers.ts";

const HOST = "score.example.com";

interface Proxy {
  readonly folder: string;
  readonly port: number;
  readonly cert: string;
  readonly key: string;
}

/** The configuration and command of each proxy, with a port and a certificate of the test. */
const PROXIES = {
  caddy: {
    configure: (given: string, { port, cert, key }: Proxy) =>
      `{\n\tadmin off\n\tauto_https disable_redirects\n}\n${given.replace(
        `${HOST} {`,
        `https://${HOST}:${port} {\n\tbind 127.0.0.1\n\ttls ${cert} ${key}`,
      )}`,
    words: () => ["run", "--adapter", "caddyfile", "--config"],
  },
  nginx: {
    configure: (given: string, proxy: Proxy) =>
      configureNginx(given, proxy).replace(/unix:\S+nginx-443\.sock/, `127.0.0.1:${proxy.port}`),
    words: (folder: string) => ["-g", "daemon off;", "-p", folder, "-c"],
  },
};

/**
 * Sends a request with a forged address by HTTP/2 through a proxy with a configuration of ops/. Returns the proxy's answer, and what the
 * server received.
 */
export async function requestThrough(name: keyof typeof PROXIES, program: string, given: string) {
  const folder = await mkdtemp(join(tmpdir(), "sc-proxy-"));
  const file = join(folder, "proxy.conf");
  const cert = join(folder, "cert.pem");
  const key = join(folder, "key.pem");
  const authority = await getAuthority();
  const issued = await authority.issue({ hosts: [HOST] });
  const events = new EventEmitter();
  const server = createServer(({ headers }, response) => {
    const { host, "x-forwarded-for": visitor } = headers;
    response.writeHead(200, { "content-type": "text/event-stream", "x-accel-buffering": "no" });
    response.write(JSON.stringify({ host, visitor }));
    events.once("next", () => response.write("data: 2\n\n"));
  });
  const here = `127.0.0.1:${await listen(server)}`;
  const port = await findClosedPort();
  const { configure, words } = PROXIES[name];
  await writeFile(cert, issued.cert);
  await writeFile(key, issued.key);
  const moved = given.replaceAll("127.0.0.1:7070", here);
  await writeFile(file, configure(moved, { folder, port, cert, key }));
  const homes = { HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const env = { ...homes, ...environmentOf(program) };
  const running = execa(program, [...words(folder), file], { env, reject: false });
  try {
    const socket = await vi.waitFor(async () => {
      const tls = { host: "127.0.0.1", port, servername: HOST, ALPNProtocols: ["h2"] };
      const tried = connectTls({ ...tls, ca: authority.certificate });
      await once(tried, "secureConnect");
      return tried;
    }, 10_000);
    const session = connect(`https://${HOST}`, { createConnection: () => socket });
    const stream = session.request({
      ":authority": HOST,
      ":path": "/readyz",
      "x-forwarded-for": "198.51.100.7",
    });
    const [headers] = (await once(stream, "response")) as [Record<string, unknown>];
    const [sent] = (await once(stream, "data")) as [Buffer];
    const received = JSON.parse(sent.toString()) as { host: string; visitor: string };
    // Waits for a second part, which a proxy that buffers the whole stream would not send yet.
    events.emit("next");
    await once(stream, "data");
    session.destroy();
    return { protocol: socket.alpnProtocol, status: headers[":status"], ...received };
  } finally {
    running.kill();
    await running;
    server.close();
    server.closeAllConnections();
    await rm(folder, { recursive: true });
  }
}
