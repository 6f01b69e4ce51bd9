import { CliError } from "../terminal/errors.ts";
import { EXIT } from "../terminal/exit-codes.ts";
import { cleanText } from "../terminal/clean.ts";
import { findHeader, type HttpResponse } from "./response.ts";

/** The text of somebody else, cut and in quotation marks. */
export function quote(text: string, maxLength: number): string {
  const clean = cleanText(text).trim();
  return `"${clean.length > maxLength ? `${clean.slice(0, maxLength - 1)}…` : clean}"`;
}

/**
 * An answer that is not this API's: a portal, a proxy, another service, or a server whose version lacks a field, which
 * `fault` names.
 */
export function foreignResponseError(response: HttpResponse, url: URL, fault?: string): CliError {
  const location = findHeader(response, "location");
  if (response.status >= 300 && response.status < 400 && location !== undefined)
    return new CliError(
      EXIT.noAnswer,
      `${url.origin} redirects to ${quote(location, 200)}, and the token never follows a redirect`,
      "Give SHIPSCORE_URL the server's final address",
    );
  const firstLine = response.text.trimStart().split(/[\r\n]/, 1)[0] ?? "";
  const content = firstLine === "" ? "an empty body" : quote(firstLine, 80);
  return new CliError(
    EXIT.noAnswer,
    `${url.origin} answered ${response.status} with ${content}, which is not a shipscore server's answer${fault === undefined ? "" : `: ${fault}`}`,
    fault === undefined
      ? "Check SHIPSCORE_URL, and any proxy or portal on the way"
      : "Check SHIPSCORE_URL, and run 'shipscore doctor', which compares the versions of both sides",
  );
}

export function timeoutError(url: URL, timeoutMs: number): CliError {
  return new CliError(
    EXIT.noAnswer,
    `${url.origin} gave no answer within ${timeoutMs / 1000} s`,
    "Try again, or give it longer with --timeout SECONDS",
  );
}

const UNTRUSTED = "Have its certificate renewed, or trust its issuer with NODE_EXTRA_CA_CERTS";
type NetworkFailure = readonly [code: RegExp, what: string, advice: string];

const NETWORK_FAILURES: readonly NetworkFailure[] = [
  [
    /^ECONNREFUSED$/,
    "refused the connection",
    "Start a server with 'shipscore-server start', or give SHIPSCORE_URL the address of one",
  ],
  [/^ENOTFOUND$/, "has a host name that DNS does not know", "Check the host in SHIPSCORE_URL"],
  [/^EAI_AGAIN$/, "could not be looked up", "Check the network and its DNS"],
  [/^CERT_HAS_EXPIRED$/, "has a certificate that has expired", UNTRUSTED],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    "has a certificate for another name",
    "Check the host in SHIPSCORE_URL",
  ],
  [/CERT|SIGNATURE/, "has a certificate that is not trusted", UNTRUSTED],
  [
    /SSL|TLS|EPROTO/,
    "does not answer as a TLS server",
    "Check the scheme and port of SHIPSCORE_URL",
  ],
  [/^HPE_/, "does not answer as an HTTP server", "Check the scheme and port of SHIPSCORE_URL"],
  [/^PROXY_/, "is out of reach, since the proxy refuses the way", "Check its user and password"],
];

const CONNECTING = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;

const UNNAMED_FAILURE: NetworkFailure = [
  /^/,
  "could not be reached, or the connection was lost",
  "Check the network and SHIPSCORE_URL, and try again",
];

/** A proxy's answer where it should have opened the way. */
export function proxyError(status: number): Error {
  return Object.assign(new Error(`the proxy answered ${status}`), { code: `PROXY_${status}` });
}

/** The code of an error or of its cause, and the error's name where there is none. */
export function networkCode(error: unknown): string {
  if (!(error instanceof Error)) return "unknown error";
  if ("code" in error && typeof error.code === "string") return error.code;
  const cause: unknown = error instanceof AggregateError ? error.errors[0] : error.cause;
  return cause instanceof Error ? networkCode(cause) : error.name;
}

/** A request that got no answer, or lost its connection. */
export function unreachableError(error: unknown, url: URL, proxy: URL | null): CliError {
  const code = networkCode(error);
  // Before the way is open, whoever is out of reach is the proxy.
  if (proxy && CONNECTING.test(code))
    return new CliError(
      EXIT.noAnswer,
      `the proxy ${proxy.host} can't be reached (${code})`,
      "Check HTTPS_PROXY, or name the server in NO_PROXY",
      { cause: error },
    );
  const row = NETWORK_FAILURES.find(([pattern]) => pattern.test(code));
  const [, what, advice] = row ?? UNNAMED_FAILURE;
  const proxyAdvice = proxy ? `${advice}; HTTPS_PROXY is set, so check the proxy too` : advice;
  const message = `${url.origin} ${what} (${code})`;
  return new CliError(EXIT.noAnswer, message, proxyAdvice, { cause: error });
}
