import type { ApiError } from "../../shared/error.ts";
import { CliError } from "../terminal/errors.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import { cleanText } from "../terminal/clean.ts";
import { findHeader, findRetryAfterS, type HttpResponse } from "./response.ts";

function quote(text: string, maxLength: number): string {
  const clean = cleanText(text).trim();
  return `"${clean.length > maxLength ? `${clean.slice(0, maxLength - 1)}…` : clean}"`;
}

function describeTurn(response: HttpResponse, now: Date): string {
  const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  const seconds = findRetryAfterS(response);
  const turn = seconds === undefined ? nextMonth : now.getTime() + seconds * 1000;
  const minute = new Date(Math.round(turn / 60_000) * 60_000).toISOString();
  return `${minute.slice(0, 10)} at ${minute.slice(11, 16)} UTC`;
}

interface Refusal {
  readonly exitCode: ExitCode;
  readonly what: string;
  readonly advice: string;
}

const REFUSALS: Readonly<Record<number, Refusal>> = {
  400: {
    exitCode: EXIT.urlRefused,
    what: "the server refused the URL",
    advice: "Give the https address of a page that anyone can reach",
  },
  401: {
    exitCode: EXIT.tokenRefused,
    what: "the server refused the token",
    advice: "Put an active token of this server in SHIPSCORE_TOKEN",
  },
  404: {
    exitCode: EXIT.projectNotFound,
    what: "the server found nothing",
    advice: "Run 'shipscore projects' for the projects that this token sees",
  },
  429: {
    exitCode: EXIT.quotaUsedUp,
    what: "the month's quota is used up",
    advice: "Wait until then, or ask for a larger plan",
  },
  500: {
    exitCode: EXIT.serverFailed,
    what: "the server failed",
    advice: "Try again, and give its operator the request's id if it happens again",
  },
  503: {
    exitCode: EXIT.serverUnavailable,
    what: "the server is unavailable for now",
    advice: "Try again in a moment",
  },
};

/** What to do where the answer tells more than its status. */
function adviseOn(response: HttpResponse, { error }: ApiError): string | undefined {
  if (response.status === 404 && error.startsWith("Route"))
    return "Check the path in SHIPSCORE_URL: the API was not found there";
  const seconds = response.status === 503 ? findRetryAfterS(response) : undefined;
  if (seconds === undefined || seconds < 10) return undefined;
  return `It asks to be left alone for ${describeSpan(seconds)}: try again then, or wait with a longer --timeout`;
}

function describeSpan(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/** The error that one of this API's own error answers stands for; undefined for a status without a code of its own. */
export function findRefusal(
  response: HttpResponse,
  body: ApiError,
  now: Date,
): CliError | undefined {
  const refusal = REFUSALS[response.status];
  if (!refusal) return undefined;
  const isBusy = findHeader(response, "x-shipscore-busy") !== undefined;
  let what = isBusy ? "the server has as many checks as it takes" : refusal.what;
  what = `${what}: ${quote(body.error, 1000)}`;
  if (response.status === 429) {
    const count = body.quota ? `${body.quota.used} of ${body.quota.limit} checks used; ` : "";
    what = `${what} (${count}the month turns on ${describeTurn(response, now)})`;
  }
  const id = findHeader(response, "x-request-id");
  return new CliError(refusal.exitCode, what, adviseOn(response, body) ?? refusal.advice, {
    body,
    requestId: id === undefined ? undefined : cleanText(id).slice(0, 100),
  });
}

/** An answer that is not this API's: a portal, a proxy, another service. */
export function foreignResponseError(response: HttpResponse, url: URL): CliError {
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
    `${url.origin} answered ${response.status} with ${content}, which is not a shipscore server's answer`,
    "Check SHIPSCORE_URL, and any proxy or portal on the way",
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
  [/^ENOTFOUND$/, "has a name that leads nowhere", "Check the host in SHIPSCORE_URL"],
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

/** The code of a network error or of its cause, and the error's name where there is none. */
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
