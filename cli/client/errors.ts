import type { Language, Text } from "../../shared/language.ts";
import { readMembers } from "../../shared/dictionary.ts";
import {
  API_ERRORS,
  type ApiError,
  type ApiErrorCode,
  ERROR_HEADER,
  isApiErrorCode,
  PARAMETERS_HEADER,
  parametersOf,
  sayError,
} from "../../shared/errors.ts";

import { cleanText } from "../terminal/json.ts";
import { CliError, networkCode } from "../terminal/errors.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import { findErrorCode, findHeader, findRetryAfterS, type HttpResponse } from "./response.ts";

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

/** When the month's quota resets, by the server's Retry-After before this machine's clock. */
function describeReset(response: HttpResponse, now: Date): Text {
  const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  const seconds = findRetryAfterS(response);
  const reset = seconds === undefined ? nextMonth : now.getTime() + seconds * 1000;
  const minute = new Date(Math.round(reset / 60_000) * 60_000).toISOString();
  const [day, time] = [minute.slice(0, 10), minute.slice(11, 16)];
  return { fr: `${day} à ${time} UTC`, en: `${day} at ${time} UTC` };
}

interface RefusalMeaning {
  readonly exitCode: ExitCode;
  /** What happened, where the server says no code that this command knows. */
  readonly what: Text;
  readonly advice: Text | undefined;
}

const REFUSALS: Readonly<Record<number, RefusalMeaning>> = {
  400: {
    exitCode: EXIT.urlRefused,
    what: { fr: "le serveur a refusé l'URL", en: "the server refused the URL" },
    advice: {
      fr: "Donnez l'adresse https d'une page que tout le monde peut atteindre",
      en: "Give the https address of a page that anyone can reach",
    },
  },
  401: {
    exitCode: EXIT.tokenRefused,
    what: { fr: "le serveur a refusé le jeton", en: "the server refused the token" },
    advice: API_ERRORS.unauthorized.advice,
  },
  404: {
    exitCode: EXIT.projectNotFound,
    what: { fr: "le serveur n'a rien trouvé", en: "the server found nothing" },
    advice: API_ERRORS.project_not_found.advice,
  },
  429: {
    exitCode: EXIT.quotaUsedUp,
    what: { fr: "le quota du mois est épuisé", en: "the month's quota is used up" },
    advice: API_ERRORS.quota_exceeded.advice,
  },
  500: {
    exitCode: EXIT.serverFailed,
    what: { fr: "le serveur a échoué", en: "the server failed" },
    advice: {
      fr: "Réessayez et, si cela se répète, donnez l'identifiant de la requête à l'exploitant",
      en: "Try again, and give its operator the request's id if it happens again",
    },
  },
  503: {
    exitCode: EXIT.serverUnavailable,
    what: { fr: "le serveur est indisponible", en: "the server is unavailable for now" },
    advice: API_ERRORS.check_stopped.advice,
  },
};

const COMPARE_VERSIONS: Text = {
  fr: "Lancez « shipscore doctor », qui compare les versions des deux côtés",
  en: "Run 'shipscore doctor', which compares the versions of both sides",
};

const OTHER_REFUSAL: RefusalMeaning = {
  exitCode: EXIT.noAnswer,
  what: { fr: "le serveur a refusé la requête", en: "the server refused the request" },
  advice: COMPARE_VERSIONS,
};

/** Codes of requests that this command does not send. */
const FOREIGN = /^(?:http|body|method)_|^idempotency_key_(?:too_long|reused)$/;

const adviseOn = (code: ApiErrorCode): Text | undefined =>
  FOREIGN.test(code) ? COMPARE_VERSIONS : API_ERRORS[code].advice;

/** What to do where the server asks for more than a moment. */
function adviseToWait(response: HttpResponse): Text | undefined {
  const seconds = response.status === 503 ? findRetryAfterS(response) : undefined;
  if (seconds === undefined || seconds < 10) return undefined;
  const span = describeSpan(seconds);
  return {
    fr: `Il demande d'attendre ${span} : réessayez ensuite, ou attendez avec un --timeout plus long`,
    en: `It asks to be left alone for ${span}: try again then, or wait with a longer --timeout`,
  };
}

function describeSpan(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/** The sentence of a code in the command's own words; undefined for parameters that are not the code's. */
function findSentence(code: ApiErrorCode, response: HttpResponse, now: Date): Text | undefined {
  const parameters = readMembers(parametersOf(code), findHeader(response, PARAMETERS_HEADER));
  if (parameters === undefined) return undefined;
  if (code !== "quota_exceeded") return sayError(code, parameters);
  const { used, limit } = parameters;
  const reset = describeReset(response, now);
  return {
    fr: `Le quota du mois est épuisé : ${used} vérifications sur ${limit}. Il sera renouvelé le ${reset.fr}.`,
    en: `The month's quota is used up: ${used} of ${limit} checks. It resets on ${reset.en}.`,
  };
}

/** The server's own sentence behind what its status means. */
function quoteServer(
  response: HttpResponse,
  body: ApiError | undefined,
  what: Text,
  now: Date,
): Text {
  const sentence = body ? `: ${quote(body.error, 1000)}` : "";
  if (response.status !== 429) return { fr: what.fr + sentence, en: what.en + sentence };
  const { used, limit } = body?.quota ?? {};
  const reset = describeReset(response, now);
  const isCounted = used !== undefined;
  return {
    fr: `${what.fr}${sentence} (${isCounted ? `${used} vérifications sur ${limit} ; ` : ""}renouvelé le ${reset.fr})`,
    en: `${what.en}${sentence} (${isCounted ? `${used} of ${limit} checks used; ` : ""}it resets on ${reset.en})`,
  };
}

/**
 * The error that an error response of one of our servers stands for, in the reader's language; undefined if it is not from
 * one, or if it neither has a status with an exit code nor says its code. `body` is undefined for a page, which our servers
 * answer where the API is not.
 */
export function findRefusal(
  response: HttpResponse,
  body: ApiError | undefined,
  now: Date,
  language: Language,
): CliError | undefined {
  const isOurs = response.status >= 400 && findHeader(response, ERROR_HEADER) !== undefined;
  const refusal = REFUSALS[response.status] ?? (isOurs ? OTHER_REFUSAL : undefined);
  const said = findErrorCode(response);
  const code = said !== undefined && isApiErrorCode(said) ? said : undefined;
  if (!refusal || !(body || code)) return undefined;
  const sentence = code && findSentence(code, response, now);
  const what = sentence ?? quoteServer(response, body, refusal.what, now);
  const known = sentence && code ? adviseOn(code) : refusal.advice;
  const advice = adviseToWait(response) ?? known;
  const id = findHeader(response, "x-request-id");
  return new CliError(refusal.exitCode, what[language], advice?.[language] ?? "", {
    body,
    requestId: id === undefined ? undefined : cleanText(id).slice(0, 100),
  });
}
