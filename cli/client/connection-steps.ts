import { connect as connectTcp, isIP, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { CliError } from "../terminal/errors.ts";
import type { Text } from "../../shared/language.ts";
import { describeDay } from "../../shared/report/times.ts";
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
  /** For all steps together; null if each has its default limit. */
  readonly timeoutMs: number | null;
  /** By `performance.now()`, at the start of the first step. */
  readonly start: number;
  readonly io: Pick<Io, "note">;
  readonly isVerbose: boolean;
}

const CONNECT_MS = 5000;
const REQUEST_MS = 10_000;

/** @throws CliError */
async function limit<T>(
  { url, proxy, signal, timeoutMs, start }: Connection,
  defaultMs: number,
  work: (limited: AbortSignal) => Promise<T>,
): Promise<T> {
  const leftMs = timeoutMs === null ? defaultMs : start + timeoutMs - performance.now();
  try {
    return await withTimeLimit(signal, Math.max(1, leftMs), work);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof TimeLimitError) throw timeoutError(url, timeoutMs ?? defaultMs);
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

function peerOf({ url, proxy }: Connection): { host: string; port: number; isTls: boolean } {
  const peer = proxy ?? url;
  const isTls = peer.protocol === "https:";
  return {
    host: peer.hostname.replace(/^\[|\]$/g, ""),
    port: Number(peer.port) || (isTls ? 443 : 80),
    isTls,
  };
}

/** @throws CliError */
export async function resolveHost(connection: Connection): Promise<Text> {
  const { host } = peerOf(connection);
  if (isIP(host) !== 0) return { fr: `${host} est une adresse IP`, en: `${host} is an IP address` };
  const { lookup } = await import("node:dns/promises");
  const addresses = await limit(connection, CONNECT_MS, (limited) =>
    Promise.race([lookup(host, { all: true }), awaitAbort(limited)]),
  );
  const list = addresses.map(({ address }) => address).join(", ");
  return { fr: `${host} se résout en ${list}`, en: `${host} resolves to ${list}` };
}

/** @throws CliError */
export async function openTcp(connection: Connection): Promise<Text> {
  const { host, port } = peerOf(connection);
  const socket = connectTcp({ host, port });
  try {
    await limit(connection, CONNECT_MS, (limited) => awaitSocket(socket, "connect", limited));
    return {
      fr: `connexion établie avec ${host}, port ${port}`,
      en: `connected to ${host} port ${port}`,
    };
  } finally {
    socket.destroy();
  }
}

/** @throws CliError */
export async function openTls(connection: Connection): Promise<Text> {
  const { host, port, isTls } = peerOf(connection);
  if (!isTls)
    return connection.proxy
      ? { fr: "transmis par le proxy", en: "forwarded by the proxy" }
      : { fr: "http sans chiffrement sur cette machine", en: "plain http on this machine" };
  const { connect } = await import("node:tls");
  const socket = connect({ host, port, ...(isIP(host) === 0 && { servername: host }) });
  try {
    await limit(connection, CONNECT_MS, (limited) => awaitSocket(socket, "secureConnect", limited));
    const end = new Date(socket.getPeerCertificate().valid_to);
    const version = socket.getProtocol() ?? "TLS";
    return {
      fr: `${version}, certificat reconnu, valable jusqu'au ${describeDay(end, { language: "fr" })}`,
      en: `${version}, a trusted certificate valid until ${describeDay(end, { language: "en" })}`,
    };
  } finally {
    socket.destroy();
  }
}

/** @throws CliError if there is no answer */
export async function sendOnce(
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
