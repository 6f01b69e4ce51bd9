import { lookup } from "node:dns/promises";
import { BlockList, isIP, type AddressInfo, type Server } from "node:net";
import type { Config } from "../config.ts";
import { AppError } from "../base/errors.ts";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

/** Whether an address leads nowhere but to this machine. */
export const isLoopback = (address: string) =>
  loopback.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

/**
 * Resolves a host to the one address to listen on. Where a name such as `localhost` has several, this is the first
 * IPv4 one: the command looks there by default, and other clients try it if nobody listens on ::1. Throws
 * `host_empty`, `host_unknown` and, if tokens would cross a network unencrypted, `tokens_in_the_clear`.
 * Fastify would open a server for each address of `localhost`, the second without the handlers and limits of the first.
 */
export async function chooseAddress(host: string, config: Config): Promise<string> {
  if (host === "") throw new AppError("host_empty", {});
  const { address } = await lookup(host, { order: "ipv4first" }).catch((error: unknown) => {
    throw new AppError("host_unknown", { host }, { cause: error });
  });
  if (isLoopback(address) || config.tls || config.behindTlsProxy) return address;
  throw new AppError("tokens_in_the_clear", { host });
}

/** Starts listening and returns the port; for port 0 the system chooses one. Throws `cannot_listen`. */
export async function listen(
  app: { server: Server; listen(at: { host: string; port: number }): Promise<unknown> },
  { host, port }: { host: string; port: number },
): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new AppError("cannot_listen", { host, port, reason }, { cause: error });
  }
  return (app.server.address() as AddressInfo).port;
}
