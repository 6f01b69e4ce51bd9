import { lookup } from "node:dns/promises";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { readHealth, readProjectList } from "./received.ts";
import { parseResponse, parseJson } from "./api.ts";
import type { CommonFlags } from "../terminal/command.ts";
import type { Context } from "../terminal/context.ts";
import { CliError } from "../terminal/errors.ts";
import { foreignResponseError, timeoutError, unreachableError } from "./failures.ts";
import { findHeader, type HttpResponse } from "./response.ts";
import { openSend } from "./http.ts";
import type { Env } from "../terminal/io.ts";
import { readBaseUrl, readProxy, readToken } from "./settings.ts";
import { TimeLimitError, withTimeLimit } from "./time-limit.ts";
import { countOf } from "../terminal/words.ts";

/** What a step of a request found; `isDoubtful` where it works, but not as it should. */
interface Found<T = true> {
  readonly value: T;
  readonly text: string;
  readonly isDoubtful?: boolean;
}

/** A step and its outcome, which is null where an earlier failure left nothing to try. */
export interface Step {
  readonly name: string;
  readonly outcome: Found<unknown> | CliError | null;
}

const STEP_TIMEOUT_MS = 5000;
const MAX_SKEW_MS = 60_000;

/** The address of the server, and the proxy on the way to it. */
interface Way {
  readonly url: URL;
  readonly proxy: URL | null;
  readonly signal: AbortSignal;
}

function findWay(url: URL, env: Env, signal: AbortSignal): Found<Way> {
  const proxy = readProxy(env, url);
  if (proxy)
    return { value: { url, proxy, signal }, text: `through ${proxy.host}, as HTTPS_PROXY says` };
  const isExempt = readProxy({ ...env, no_proxy: "" }, url) !== null;
  const text = isExempt ? "none, since NO_PROXY names the server" : "none";
  return { value: { url, proxy, signal }, text };
}

/** Where the connection goes: the proxy, or the server itself. */
function endOf({ url, proxy }: Way): { host: string; port: number; isTls: boolean } {
  const end = proxy ?? url;
  const isTls = end.protocol === "https:";
  return {
    host: end.hostname.replace(/^\[|\]$/g, ""),
    port: Number(end.port) || (isTls ? 443 : 80),
    isTls,
  };
}

function failWay(error: unknown, { url, proxy, signal }: Way): never {
  signal.throwIfAborted();
  throw error instanceof CliError ? error : unreachableError(error, url, proxy);
}

function awaitSocket<S extends Socket | TLSSocket>(socket: S, event: string): Promise<S> {
  return new Promise((resolve, reject) => {
    socket.setTimeout(STEP_TIMEOUT_MS, () => {
      const error = new Error(`nothing within ${STEP_TIMEOUT_MS / 1000} s`);
      socket.destroy(Object.assign(error, { code: "ETIMEDOUT" }));
    });
    socket.once("error", reject);
    socket.once(event, () => resolve(socket));
  });
}

async function lookUp(way: Way): Promise<Found> {
  const { host } = endOf(way);
  if (isIP(host) !== 0) return { value: true, text: `${host} is an address` };
  const addresses = await lookup(host, { all: true }).catch((error: unknown) =>
    failWay(error, way),
  );
  return { value: true, text: `${host} is ${addresses.map(({ address }) => address).join(", ")}` };
}

async function connectPlain(way: Way): Promise<Found> {
  const { host, port } = endOf(way);
  const socket = connectTcp({ host, port });
  try {
    await awaitSocket(socket, "connect");
    return { value: true, text: `connected to ${host} port ${port}` };
  } catch (error) {
    return failWay(error, way);
  } finally {
    socket.destroy();
  }
}

async function shakeHands(way: Way): Promise<Found> {
  const { host, port, isTls } = endOf(way);
  if (!isTls)
    return {
      value: true,
      text: way.proxy ? "the proxy passes it on" : "plain http on this machine",
    };
  const socket = connectTls({ host, port, ...(isIP(host) === 0 && { servername: host }) });
  try {
    await awaitSocket(socket, "secureConnect");
    const { valid_to: end } = socket.getPeerCertificate();
    const date = new Date(end).toISOString().slice(0, 10);
    return {
      value: true,
      text: `${socket.getProtocol() ?? "TLS"}, a trusted certificate until ${date}`,
    };
  } catch (error) {
    return failWay(error, way);
  } finally {
    socket.destroy();
  }
}

/** One request to the server, without retries. */
async function ask(way: Way, path: string, token?: string): Promise<HttpResponse> {
  const send = await openSend(way.proxy);
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const call = { url: new URL(path, way.url), method: "GET" as const, headers, body: null };
  try {
    return await withTimeLimit(way.signal, 2 * STEP_TIMEOUT_MS, (limited) => send(call, limited));
  } catch (error) {
    if (error instanceof TimeLimitError) throw timeoutError(way.url, 2 * STEP_TIMEOUT_MS);
    return failWay(error, way);
  }
}

async function askHealth(way: Way): Promise<Found<HttpResponse>> {
  const response = await ask(way, "healthz");
  if (readHealth(parseJson(response.text)))
    return { value: response, text: `a shipscore server answers at ${way.url.href}` };
  throw foreignResponseError(response, way.url);
}

async function askProjects(way: Way, token: string, now: Date): Promise<Found> {
  const response = await ask(way, "api/v1/projects", token);
  const { projects } = parseResponse(response, way.url, readProjectList, now);
  return { value: true, text: `accepted; it sees ${countOf(projects.length, "project")}` };
}

function compareClocks(response: HttpResponse, now: Date): Found {
  const date = Date.parse(findHeader(response, "date") ?? "");
  if (Number.isNaN(date))
    return { value: true, text: "the server does not tell its own", isDoubtful: true };
  const skewMs = now.getTime() - date;
  if (Math.abs(skewMs) < MAX_SKEW_MS)
    return { value: true, text: "as the server's, to the minute" };
  const minutes = Math.round(Math.abs(skewMs) / 60_000);
  const direction = skewMs > 0 ? "ahead of" : "behind";
  const text = `${countOf(minutes, "minute")} ${direction} the server's: set this machine's clock, or the server's`;
  return { value: true, text, isDoubtful: true };
}

function compareVersions(response: HttpResponse, own: string): Found {
  const version = readHealth(parseJson(response.text))?.version;
  if (version === undefined)
    return { value: true, text: `${own}; the server does not tell its own` };
  const isSame = version.split(".", 2).join(".") === own.split(".", 2).join(".");
  if (isSame) return { value: true, text: `${own}, the server's ${version}` };
  const text = `${own}, the server's ${version}: install the same on both sides`;
  return { value: true, text, isDoubtful: true };
}

async function settle<T>(work: () => Found<T> | Promise<Found<T>>): Promise<Found<T> | CliError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CliError) return error;
    throw error;
  }
}

/**
 * Tries each step of a request in order, and tells what came of it. A step that needs one that failed is skipped; the
 * token is sent only once the server has answered as a shipscore server.
 */
export async function diagnose(
  { env, signal, now }: Context,
  flags: CommonFlags,
  version: string,
  tell: (step: Step) => Promise<void>,
): Promise<void> {
  async function look<T>(
    name: string,
    work: (() => Found<T> | Promise<Found<T>>) | undefined,
  ): Promise<T | undefined> {
    const outcome = work === undefined ? null : await settle(work);
    await tell({ name, outcome });
    return outcome === null || outcome instanceof CliError ? undefined : outcome.value;
  }

  const token = await look("SHIPSCORE_TOKEN", () => ({
    value: readToken(env),
    text: "set, and of a token's shape",
  }));
  const url = await look("Address", () => {
    const value = readBaseUrl(env, flags.baseUrl);
    return { value, text: value.href };
  });
  const way = await look("Proxy", url && (() => findWay(url, env, signal)));
  const address = await look("DNS", way && (() => lookUp(way)));
  const connection = await look("TCP", address && way && (() => connectPlain(way)));
  const channel = await look("TLS", connection && way && (() => shakeHands(way)));
  const health = await look("Server", channel && way && (() => askHealth(way)));
  const isReady = health !== undefined && way !== undefined && token !== undefined;
  await look("Token", isReady ? () => askProjects(way, token, now()) : undefined);
  await look("Clock", health && (() => compareClocks(health, now())));
  await look("Version", health && (() => compareVersions(health, version)));
}
