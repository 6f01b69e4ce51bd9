import { connect, createSecureContext, type ConnectionOptions } from "node:tls";
import { Pool } from "undici";
import { IMAGES, LINKS, SCRIPTS, STYLES } from "./good-page.ts";
import type { VisitOnce } from "./visitor.ts";

const CONNECTIONS = 6;

/** Sends only the requests of a check, in the same waves and over as many connections. Each visit opens new connections. */
export function createBareVisitor(url: string, authority: string): VisitOnce {
  const { origin, hostname, port } = new URL(url);
  const secureContext = createSecureContext({ ca: authority });
  const legacyContext = createSecureContext({
    minVersion: "TLSv1",
    maxVersion: "TLSv1.1",
    ciphers: "DEFAULT@SECLEVEL=0",
  });

  function shakeHands(options: ConnectionOptions): Promise<void> {
    return new Promise((resolve) => {
      const socket = connect({ host: hostname, port: Number(port), ...options });
      socket.on("error", () => undefined);
      socket.once("secureConnect", () => socket.destroy());
      socket.once("close", () => resolve());
    });
  }

  return async () => {
    const pool = new Pool(origin, {
      connections: CONNECTIONS,
      pipelining: 1,
      connect: { secureContext },
    });
    const request = async (path: string, method: "GET" | "HEAD" = "GET"): Promise<void> => {
      const headers = { "accept-encoding": "gzip, br" };
      const { body } = await pool.request({ path, method, headers });
      await body.dump();
    };
    const requestPage = async (): Promise<void> => {
      await request("/");
      const missing = "/no-such-file.css";
      const assets = [...SCRIPTS, ...STYLES, ...IMAGES, missing].map((path) => request(path));
      await Promise.all([...assets, ...LINKS.map((path) => request(path, "HEAD"))]);
    };
    await Promise.all([
      requestPage(),
      request("/"),
      request("/robots.txt").then(() => request("/sitemap.xml")),
      request("/nothing-of-that-name"),
      shakeHands({ secureContext: legacyContext }),
      shakeHands({ secureContext, ALPNProtocols: ["h2", "http/1.1"] }),
    ]);
    await pool.destroy();
  };
}
