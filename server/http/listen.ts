import { lookup } from "node:dns/promises";
import { BlockList, isIP, type AddressInfo, type Server } from "node:net";
import type { Config } from "../config.ts";
import { AppError } from "../errors.ts";

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8);
loopback.addAddress("::1", "ipv6");

const isLoopback = (address: string) =>
  loopback.check(address, isIP(address) === 6 ? "ipv6" : "ipv4");

/**
 * The one address to listen on: of a name that leads to several, such as `localhost`, the first of IPv4, where the
 * command looks by default and clients of `localhost` go on to when nobody listens on ::1. Throws `usage` for a name that leads
 * nowhere, and for an address at which tokens would cross a network in the clear.
 */
export async function chooseAddress(host: string, config: Config): Promise<string> {
  if (host === "") throw new AppError("usage", { message: "--host is empty." });
  const { address } = await lookup(host, { order: "ipv4first" }).catch((error: unknown) => {
    throw new AppError(
      "usage",
      { message: `--host ${host} is no address of this machine.` },
      { cause: error },
    );
  });
  if (isLoopback(address) || config.tls || config.behindTlsProxy) return address;
  throw new AppError("usage", {
    message: `Tokens would cross the network in the clear on ${host}. Set SHIPSCORE_TLS_CERT and SHIPSCORE_TLS_KEY, or SHIPSCORE_BEHIND_TLS_PROXY=1 behind a proxy that ends TLS.`,
  });
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "is in use. Choose another with --port.",
  EACCES: "is not for this user to listen on. Choose one from 1024 on with --port.",
};

/** Listens, and returns the port, which the system chooses for 0. */
export async function listen(
  app: { server: Server; listen(at: { host: string; port: number }): Promise<unknown> },
  { host, port }: { host: string; port: number },
): Promise<number> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const reason =
      REASONS[code] ?? `cannot be listened on (${code}). Choose another address with --host.`;
    throw new AppError(
      "refused_operation",
      { message: `Port ${port} of ${host} ${reason}` },
      { cause: error },
    );
  }
  return (app.server.address() as AddressInfo).port;
}
