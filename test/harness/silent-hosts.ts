import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";

/** Accepts connections on all addresses of this machine, and sends nothing. */
export async function startSilentHosts() {
  const open = new Set<Socket>();
  let most = 0;
  const server = createServer((socket) => {
    open.add(socket);
    most = Math.max(most, open.size);
    socket.on("error", () => undefined).on("close", () => open.delete(socket));
  });
  await once(server.listen(0, "0.0.0.0"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    open,
    /** The maximum of connections open at the same time. */
    most: () => most,
    async close() {
      const closed = once(server, "close");
      server.close();
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
