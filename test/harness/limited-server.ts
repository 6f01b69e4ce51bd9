import { once } from "node:events";
import type { Server } from "node:http";
import { connect, type Socket } from "node:net";
import { connect as connectSecurely } from "node:tls";
import { createLimitedServer } from "../../server/http/listener.ts";
import { getAuthority, listen } from "./site.ts";

/** The server's listener, extended by `prepare`, and a function that connects to it. */
export async function startLimitedServer(isSecure: boolean, prepare: (server: Server) => void) {
  const certificate = await (await getAuthority()).issue({ hosts: ["127.0.0.1"] });
  const tls = { cert: Buffer.from(certificate.cert), key: Buffer.from(certificate.key) };
  const server = createLimitedServer(isSecure ? tls : undefined);
  prepare(server);
  const port = await listen(server);
  return {
    server,
    port,
    join: async (): Promise<Socket> => {
      const socket = isSecure
        ? connectSecurely({ port, rejectUnauthorized: false })
        : connect(port, "127.0.0.1");
      socket.on("error", () => {});
      await once(socket, isSecure ? "secureConnect" : "connect");
      return socket;
    },
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
