import { connect as connectTcp, isIP, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { CliError } from "../terminal/errors.ts";
import type { Io } from "../terminal/io.ts";
import { timeoutError, unreachableError } from "./errors.ts";
import { openSend } from "./http.ts";
import type { HttpResponse } from "./response.ts";
import { TimeLimitError, withTimeLimit } from "./time-limit.ts";
import { traceCall } from "./trace.ts";

export interface Connection {
  readonly url: URL;
  readonly proxy: URL | null;
  readonly signal: AbortSignal;
  /** How long all steps may take together; null where each has its usual limit. */
  readonly timeoutMs: number | null;
  /** When the first step began, by `performance.now()`. */
  readonly start: number;
  readonly io: Pick<Io, "note">;
  readonly isVerbose: boolean;
}

const CONNECT_MS = 5000;
const REQUEST_MS = 10_000;

/** Does a step within what is left of the user's limit, or within its usual one. @throws CliError */
async function limit<T>(
  { url, proxy, signal, timeoutMs, start }: Connection,
  usualMs: number,
  work: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  const leftMs = timeoutMs === null ? usualMs : start + timeoutMs - performance.now();
  try {
    return await withTimeLimit(signal, Math.max(1, leftMs), work);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TimeLimitError) throw timeoutError(url, timeoutMs ?? usualMs);
    throw error instanceof CliError ? error : unreachableError(error, url, proxy);
  }
}

function awaitAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}

async function awaitSocket<S extends Socket | TLSSocket>(
  socket: S,
  event: string,
  signal: AbortSignal,
): Promise<S> {
  const opened = new Promise<S>((resolve, reject) => {
    socket.once("error", reject).once(event, () => resolve(socket));
  });
  return Promise.race([opened, awaitAbort(signal)]);
}

/** Where the connection goes: the proxy, or the server itself. */
function endOf({ url, proxy }: Connection): { host: string; port: number; isTls: boolean } {
  const end = proxy ?? url;
  const isTls = end.protocol === "https:";
  return {
    host: end.hostname.replace(/^\[|\]$/g, ""),
    port: Number(end.port) || (isTls ? 443 : 80),
    isTls,
  };
}

/** Looks up the host, and tells its addresses. @throws CliError */
export async function lookUp(connection: Connection): Promise<string> {
  const { host } = endOf(connection);
  if (isIP(host) !== 0) return `${host} is an address`;
  const { lookup } = await import("node:dns/promises");
  const addresses = await limit(connection, CONNECT_MS, (limited) =>
    Promise.race([lookup(host, { all: true }), awaitAbort(limited)]),
  );
  return `${host} is ${addresses.map(({ address }) => address).join(", ")}`;
}

/** Opens a connection, and tells to what. @throws CliError */
export async function connectPlain(connection: Connection): Promise<string> {
  const { host, port } = endOf(connection);
  const socket = connectTcp({ host, port });
  try {
    await limit(connection, CONNECT_MS, (limited) => awaitSocket(socket, "connect", limited));
    return `connected to ${host} port ${port}`;
  } finally {
    socket.destroy();
  }
}

/** Opens a TLS connection where there should be one, and tells its version and its certificate's end. @throws CliError */
export async function shakeHands(connection: Connection): Promise<string> {
  const { host, port, isTls } = endOf(connection);
  if (!isTls) return connection.proxy ? "the proxy passes it on" : "plain http on this machine";
  const { connect } = await import("node:tls");
  const socket = connect({ host, port, ...(isIP(host) === 0 && { servername: host }) });
  try {
    await limit(connection, CONNECT_MS, (limited) => awaitSocket(socket, "secureConnect", limited));
    const date = new Date(socket.getPeerCertificate().valid_to).toISOString().slice(0, 10);
    return `${socket.getProtocol() ?? "TLS"}, a trusted certificate until ${date}`;
  } finally {
    socket.destroy();
  }
}

/** One request to the server, without retries. @throws CliError where there is no answer */
export async function ask(
  connection: Connection,
  path: string,
  token?: string,
): Promise<HttpResponse> {
  const send = await openSend(connection.proxy);
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const call = { url: new URL(path, connection.url), method: "GET" as const, headers, body: null };
  return limit(connection, REQUEST_MS, (limited) =>
    traceCall(connection, call, () => send(call, limited)),
  );
}
