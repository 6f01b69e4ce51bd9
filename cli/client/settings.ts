import { TARGET_HEADERS, TargetHeaders } from "../../shared/check.ts";
import { isToken } from "../../shared/token.ts";
import type { CommonFlags } from "../terminal/command.ts";
import { CliError, usageError } from "../terminal/errors.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import type { Env } from "../terminal/io.ts";
import { parseJson } from "../terminal/json.ts";
import { readLanguage } from "../terminal/words.ts";
import { withoutSecrets } from "../../shared/report/addresses.ts";
import { findOrigin, isUrl } from "../../shared/url.ts";

const DEFAULT_BASE_URL = "http://127.0.0.1:7070";
const DEFAULT_TIMEOUT_S = 60;

export type Settings = ReturnType<typeof readSettings>;

function isLoopback(url: URL): boolean {
  return (
    url.hostname === "localhost" ||
    url.hostname === "[::1]" ||
    /^127\.\d+\.\d+\.\d+$/.test(url.hostname)
  );
}

/** Where the server is. @throws CliError 2 */
export function readBaseUrl(env: Env, flag: string | undefined): URL {
  const source = flag === undefined ? "SHIPSCORE_URL" : "--base-url";
  const advice = `Give ${source} an address such as https://shipscore.example.com`;
  const text = flag ?? (env.SHIPSCORE_URL || DEFAULT_BASE_URL);
  if (!isUrl(text)) throw usageError(`${source} is not a URL`, advice);
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw usageError(`${source} is neither https nor http`, advice);
  if (url.username || url.password || url.search || url.hash)
    throw usageError(`${source} holds more than a host and a path`, advice);
  if (url.protocol === "http:" && !isLoopback(url))
    throw usageError(
      `${source} is plain http to ${url.hostname}, where anyone on the way could read the token`,
      "Use https, or http to this machine only",
    );
  if (!url.pathname.endsWith("/")) url.pathname += "/";
  return url;
}

/**
 * The server whose page documents the rules. That of `shipscore-server exec` ends with its command, so there it is the
 * one of SHIPSCORE_PUBLIC_URL, or null.
 * @throws CliError 2
 */
export function findDocsBase(env: Env, flag: string | undefined): URL | null {
  const baseUrl = readBaseUrl(env, flag);
  if (!env.SHIPSCORE_EXEC || flag !== undefined) return baseUrl;
  const publicUrl = env.SHIPSCORE_PUBLIC_URL;
  return publicUrl ? readBaseUrl({}, publicUrl) : null;
}

const CAUSES: readonly (readonly [RegExp, string])[] = [
  [/^\s*$/, "it holds nothing but white space"],
  [/[\r\n]\s*\S/, "it holds several lines"],
  [/^\s|\s$/, "it begins or ends with white space"],
  [/^bearer\s/i, "it begins with Bearer, which the command adds itself"],
  [/^["'`«“]|["'`»”]$/, "it is in quotes"],
  [/^\$|^%.*%$|^<.*>$|^\*+$/, "it is a placeholder that nothing replaced"],
  [/^(?!psk_)/, "it does not begin with psk_"],
  [/[^0-9A-Za-z_]/, "it holds a character that no token has"],
];

const TOKEN_LENGTH = 44;

function findTokenFault(token: string): string {
  const known = CAUSES.find(([pattern]) => pattern.test(token));
  if (known) return known[1];
  const { length } = token;
  if (length === TOKEN_LENGTH) return "its checksum is wrong, so a character was mistyped";
  const cause =
    length < TOKEN_LENGTH ? "its end may be missing" : "something else was pasted with it";
  return `it has ${length} characters instead of ${TOKEN_LENGTH}, so ${cause}`;
}

const EXEC = "shipscore-server exec -- shipscore check URL";

/**
 * The token, once its shape and checksum are right. No error repeats it.
 * @param tokenPage where a token is made
 * @throws CliError 41
 */
export function readToken(env: Env, tokenPage = "the page /settings/api of your server"): string {
  const token = env.SHIPSCORE_TOKEN;
  if (!token)
    throw new CliError(
      EXIT.tokenRefused,
      `SHIPSCORE_TOKEN is ${token === undefined ? "not set" : "empty"}`,
      `Put a token of your account in this variable, made on ${tokenPage}, or check without a server and an account: ${EXEC}`,
    );
  if (!isToken(token))
    throw new CliError(
      EXIT.tokenRefused,
      `SHIPSCORE_TOKEN is malformed: ${findTokenFault(token)}`,
      "Copy the token again, whole; nothing was sent",
    );
  return token;
}

/** True where NO_PROXY names the host, its port or a domain above it. */
function isExempt(url: URL, noProxy: string): boolean {
  const port = url.port || (url.protocol === "https:" ? "443" : "80");
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .some((entry) => {
      const [, name = "", entryPort = port] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry) ?? [];
      if (entry === "*") return true;
      const isNamed = url.hostname === name || url.hostname.endsWith(`.${name}`);
      return name !== "" && isNamed && entryPort === port;
    });
}

/**
 * The proxy on the way to a URL; null where none is set, or none may be used: it would be handed the token of a request to
 * this machine.
 * @throws CliError 2 for a proxy that is not a URL
 */
export function readProxy(env: Env, url: URL): URL | null {
  const proxy = env.https_proxy ?? env.HTTPS_PROXY ?? "";
  const noProxy = env.no_proxy ?? env.NO_PROXY ?? "";
  if (proxy === "" || isLoopback(url) || isExempt(url, noProxy)) return null;
  if (!/^https?:\/\//i.test(proxy) || !isUrl(proxy))
    throw usageError("HTTPS_PROXY is not a URL", "Give it as http://host:port");
  return new URL(proxy);
}

/**
 * Reads how to reach the server, before anything is sent.
 * @throws CliError 2 for an address or a proxy that can't be used, 41 for the token.
 */
export function readSettings(env: Env, flags: CommonFlags) {
  const baseUrl = readBaseUrl(env, flags.baseUrl);
  return {
    baseUrl,
    token: readToken(env, new URL("settings/api", baseUrl).href),
    timeoutMs: (flags.timeout ?? DEFAULT_TIMEOUT_S) * 1000,
    language: readLanguage(env),
    proxy: readProxy(env, baseUrl),
    isVerbose: flags.verbose ?? false,
  };
}

const originOf = (url: string): string => (isUrl(url) ? new URL(url).origin : url);

/** @throws CliError 2 where an origin of the pages was not typed, and SHIPSCORE_TARGET_ORIGIN is another one */
function checkTargets(
  { SHIPSCORE_TARGET_ORIGIN: text }: Env,
  urls: readonly string[],
  typed: readonly string[],
): void {
  const target = findOrigin(text ?? "");
  if (text && target === undefined)
    throw usageError(
      "SHIPSCORE_TARGET_ORIGIN is no https origin",
      "Give one such as https://preview.example.com",
    );
  const named = new Set([target, ...typed.map(originOf)]);
  const other = urls.map(originOf).find((origin) => !named.has(origin));
  if (other !== undefined)
    throw usageError(
      `SHIPSCORE_TARGET_HEADERS would go to ${withoutSecrets(other)}, which only a file names`,
      "Set SHIPSCORE_TARGET_ORIGIN to the origin that they are for, or name it by --site or a URL",
    );
}

/**
 * Reads SHIPSCORE_TARGET_HEADERS, a JSON object of header names and values, for these pages. No error repeats a value. They
 * go to no origin that only a file names, since it may be a stranger's.
 * @param typed the URLs that a flag or an argument names
 * @throws CliError 2
 */
export function readTargetHeaders(
  env: Env,
  urls: readonly string[],
  typed: readonly string[],
): TargetHeaders {
  const text = env.SHIPSCORE_TARGET_HEADERS;
  if (!text) return {};
  const advice = `Give a JSON object with any of ${TARGET_HEADERS.join(", ")}`;
  const value = parseJson(text);
  if (value === undefined) throw usageError("SHIPSCORE_TARGET_HEADERS is not JSON", advice);
  const { success, data } = TargetHeaders.safeParse(value);
  if (!success)
    throw usageError(
      "SHIPSCORE_TARGET_HEADERS has a header or a value that is not allowed",
      advice,
    );
  if (Object.keys(data).length > 0) checkTargets(env, urls, typed);
  return data;
}
