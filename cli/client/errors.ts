import type { Text } from "../../shared/language.ts";
import { describeMoment } from "../../shared/report/times.ts";
import { describeCount } from "../../shared/report/words.ts";
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
import { CliError, networkCode, untranslated } from "../terminal/errors.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import { findErrorCode, findHeader, findRetryAfterS, type HttpResponse } from "./response.ts";

export function quote(text: string, maxLength: number): string {
  const clean = cleanText(text).trim();
  return `"${clean.length > maxLength ? `${clean.slice(0, maxLength - 1)}…` : clean}"`;
}

const CHECK_URL: Text = {
  fr: "Vérifiez SHIPSCORE_URL, ainsi que tout proxy ou portail intermédiaire",
  en: "Check SHIPSCORE_URL, and any proxy or portal in between",
};

const CHECK_URL_AND_VERSIONS: Text = {
  fr: "Vérifiez SHIPSCORE_URL, et lancez « shipscore doctor », qui compare les versions des deux côtés",
  en: "Check SHIPSCORE_URL, and run 'shipscore doctor', which compares the versions of both sides",
};

export const unansweredError = ({ origin }: URL, status: number): CliError =>
  new CliError(
    EXIT.noAnswer,
    {
      fr: `${origin} a renvoyé ${status} sans répondre au message`,
      en: `${origin} returned ${status} without a response to the message`,
    },
    CHECK_URL,
  );

/**
 * The response may come from a portal, a proxy or another service, or from a server whose version lacks the field in `fault`.
 */
export function foreignResponseError(response: HttpResponse, url: URL, fault?: Text): CliError {
  const { origin } = url;
  const { status } = response;
  const location = findHeader(response, "location");
  if (status >= 300 && status < 400 && location !== undefined) {
    const target = quote(location, 200);
    return new CliError(
      EXIT.noAnswer,
      {
        fr: `${origin} redirige vers ${target}, et le jeton n'est jamais envoyé après une redirection`,
        en: `${origin} redirects to ${target}, and the token never follows a redirect`,
      },
      {
        fr: "Placez dans SHIPSCORE_URL l'URL finale du serveur",
        en: "Set SHIPSCORE_URL to the server's final URL",
      },
    );
  }
  const firstLine = response.text.trimStart().split(/[\r\n]/, 1)[0] ?? "";
  const content =
    firstLine === ""
      ? { fr: "un corps vide", en: "an empty body" }
      : untranslated(quote(firstLine, 80));
  const reason = fault ? { fr: ` : ${fault.fr}`, en: `: ${fault.en}` } : untranslated("");
  return new CliError(
    EXIT.noAnswer,
    {
      fr: `${origin} a renvoyé ${status} avec ${content.fr}, ce qui n'est pas la réponse d'un serveur shipscore${reason.fr}`,
      en: `${origin} returned ${status} with ${content.en}, which is not a shipscore server's response${reason.en}`,
    },
    fault ? CHECK_URL_AND_VERSIONS : CHECK_URL,
  );
}

export function timeoutError({ origin }: URL, timeoutMs: number): CliError {
  const seconds = timeoutMs / 1000;
  return new CliError(
    EXIT.noAnswer,
    {
      fr: `${origin} n'a pas répondu en ${seconds} s`,
      en: `${origin} did not respond within ${seconds} s`,
    },
    {
      fr: "Réessayez, ou attendez plus longtemps avec --timeout SECONDES",
      en: "Try again, or wait longer with --timeout SECONDS",
    },
  );
}

const UNTRUSTED: Text = {
  fr: "Faites renouveler son certificat, ou ajoutez son émetteur à NODE_EXTRA_CA_CERTS",
  en: "Have its certificate renewed, or trust its issuer with NODE_EXTRA_CA_CERTS",
};
const CHECK_HOST: Text = {
  fr: "Vérifiez l'hôte dans SHIPSCORE_URL",
  en: "Check the host in SHIPSCORE_URL",
};
const CHECK_PORT: Text = {
  fr: "Vérifiez le schéma et le port dans SHIPSCORE_URL",
  en: "Check the scheme and port of SHIPSCORE_URL",
};
type NetworkFailure = readonly [code: RegExp, what: Text, advice: Text];

const NETWORK_FAILURES: readonly NetworkFailure[] = [
  [
    /^ECONNREFUSED$/,
    { fr: "a refusé la connexion", en: "refused the connection" },
    {
      fr: "Démarrez un serveur avec « shipscore-server start », ou placez l'URL d'un serveur dans SHIPSCORE_URL",
      en: "Start a server with 'shipscore-server start', or set SHIPSCORE_URL to the URL of one",
    },
  ],
  [
    /^ENOTFOUND$/,
    { fr: "a un nom d'hôte inconnu du DNS", en: "has a host name that DNS does not know" },
    CHECK_HOST,
  ],
  [
    /^EAI_AGAIN$/,
    { fr: "n'a pas pu être résolu par le DNS", en: "could not be resolved by DNS" },
    { fr: "Vérifiez le réseau et son DNS", en: "Check the network and its DNS" },
  ],
  [
    /^CERT_HAS_EXPIRED$/,
    { fr: "a un certificat expiré", en: "has an expired certificate" },
    UNTRUSTED,
  ],
  [
    /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    { fr: "a un certificat établi pour un autre nom", en: "has a certificate for another name" },
    CHECK_HOST,
  ],
  [
    /CERT|SIGNATURE/,
    {
      fr: "a un certificat qui n'est pas reconnu",
      en: "has a certificate that is not trusted",
    },
    UNTRUSTED,
  ],
  [
    /SSL|TLS|EPROTO/,
    { fr: "ne répond pas comme un serveur TLS", en: "does not respond as a TLS server" },
    CHECK_PORT,
  ],
  [
    /^HPE_/,
    { fr: "ne répond pas comme un serveur HTTP", en: "does not respond like an HTTP server" },
    CHECK_PORT,
  ],
  [
    /^PROXY_/,
    {
      fr: "est inaccessible, car le proxy refuse la connexion",
      en: "cannot be reached, because the proxy refuses the connection",
    },
    {
      fr: "Vérifiez son identifiant et son mot de passe",
      en: "Check its user name and password",
    },
  ],
];

const CONNECTING = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/;

const OTHER_FAILURE: NetworkFailure = [
  /^/,
  {
    fr: "est injoignable, ou la connexion a été perdue",
    en: "could not be reached, or the connection was lost",
  },
  {
    fr: "Vérifiez le réseau et SHIPSCORE_URL, puis réessayez",
    en: "Check the network and SHIPSCORE_URL, and try again",
  },
];

export function proxyError(status: number): Error {
  return Object.assign(new Error(`the proxy answered ${status}`), { code: `PROXY_${status}` });
}

export function unreachableError(error: unknown, url: URL, proxy: URL | null): CliError {
  const code = networkCode(error);
  // Until the tunnel is open, these codes are about the proxy.
  if (proxy && CONNECTING.test(code))
    return new CliError(
      EXIT.noAnswer,
      {
        fr: `le proxy ${proxy.host} est injoignable (${code})`,
        en: `the proxy ${proxy.host} cannot be reached (${code})`,
      },
      {
        fr: "Vérifiez HTTPS_PROXY, ou ajoutez le serveur à NO_PROXY",
        en: "Check HTTPS_PROXY, or add the server to NO_PROXY",
      },
      { cause: error },
    );
  const row = NETWORK_FAILURES.find(([pattern]) => pattern.test(code));
  const [, what, advice] = row ?? OTHER_FAILURE;
  const proxyAdvice = {
    fr: `${advice.fr} ; HTTPS_PROXY est définie : vérifiez aussi le proxy`,
    en: `${advice.en}; HTTPS_PROXY is set, so check the proxy too`,
  };
  return new CliError(
    EXIT.noAnswer,
    { fr: `${url.origin} ${what.fr} (${code})`, en: `${url.origin} ${what.en} (${code})` },
    proxy ? proxyAdvice : advice,
    { cause: error },
  );
}

/** Prefers the server's Retry-After to the month of this machine's clock. */
function describeReset(response: HttpResponse, now: Date): Text {
  const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  const seconds = findRetryAfterS(response);
  const resetMs = seconds === undefined ? nextMonth : now.getTime() + seconds * 1000;
  const reset = new Date(Math.round(resetMs / 60_000) * 60_000);
  return {
    fr: describeMoment(reset, { language: "fr" }),
    en: describeMoment(reset, { language: "en" }),
  };
}

interface RefusalMeaning {
  readonly exitCode: ExitCode;
  readonly what: Text;
  readonly advice: Text | undefined;
}

const REFUSALS: Readonly<Record<number, RefusalMeaning>> = {
  400: {
    exitCode: EXIT.urlRefused,
    what: { fr: "le serveur a refusé l'URL", en: "the server refused the URL" },
    advice: {
      fr: "Indiquez l'URL https d'une page accessible à tous",
      en: "Use the https URL of a page that anyone can reach",
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
    what: {
      fr: "le quota mensuel de vérifications est épuisé",
      en: "the monthly quota of checks is used up",
    },
    advice: API_ERRORS.quota_exceeded.advice,
  },
  500: {
    exitCode: EXIT.serverFailed,
    what: { fr: "le serveur a rencontré une erreur", en: "the server failed" },
    advice: {
      fr: "Réessayez et, si l'erreur persiste, transmettez l'identifiant de la requête à l'administrateur du serveur",
      en: "Try again; if the error persists, send the request ID to the server's administrator",
    },
  },
  503: {
    exitCode: EXIT.serverUnavailable,
    what: { fr: "le serveur est indisponible", en: "the server is temporarily unavailable" },
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

function adviseToWait(response: HttpResponse): Text | undefined {
  const seconds = response.status === 503 ? findRetryAfterS(response) : undefined;
  if (seconds === undefined || seconds < 10) return undefined;
  const span = describeSpan(seconds);
  return {
    fr: `Le serveur demande d'attendre ${span} : réessayez ensuite, ou augmentez --timeout`,
    en: `The server asks you to wait ${span}: try again then, or use a longer --timeout`,
  };
}

function describeSpan(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

function findSentence(code: ApiErrorCode, response: HttpResponse, now: Date): Text | undefined {
  const parameters = readMembers(parametersOf(code), findHeader(response, PARAMETERS_HEADER));
  if (parameters === undefined) return undefined;
  if (code !== "quota_exceeded") return sayError(code, parameters);
  const { used, limit } = parameters;
  const reset = describeReset(response, now);
  const share = describeShare(Number(used), Number(limit));
  return {
    fr: `Quota mensuel de vérifications épuisé (${share.fr}). Il sera renouvelé le ${reset.fr}.`,
    en: `The monthly quota of checks is used up (${share.en}). It resets on ${reset.en}.`,
  };
}

const describeShare = (used: number, limit: number): Text => ({
  fr: `${describeCount(used, "fr")} sur ${describeCount(limit, "fr")}`,
  en: `${describeCount(used, "en")} of ${describeCount(limit, "en")}`,
});

function quoteServer(
  response: HttpResponse,
  body: ApiError | undefined,
  what: Text,
  now: Date,
): Text {
  const said = body && quote(body.error, 1000);
  const sentence = said ? { fr: `${what.fr} : ${said}`, en: `${what.en}: ${said}` } : what;
  if (response.status !== 429) return sentence;
  const reset = describeReset(response, now);
  const { used, limit } = body?.quota ?? {};
  const share = used === undefined ? undefined : describeShare(used, Number(limit));
  return {
    fr: `${sentence.fr} (${share ? `${share.fr} ; ` : ""}renouvelé le ${reset.fr})`,
    en: `${sentence.en} (${share ? `${share.en}; ` : ""}it resets on ${reset.en})`,
  };
}

/**
 * Undefined for a foreign response, and for one without a known code or status. Outside the API our servers return pages, so
 * `body` is undefined.
 */
export function findRefusal(
  response: HttpResponse,
  body: ApiError | undefined,
  now: Date,
): CliError | undefined {
  const isOurs = response.status >= 400 && findHeader(response, ERROR_HEADER) !== undefined;
  const refusal = REFUSALS[response.status] ?? (isOurs ? OTHER_REFUSAL : undefined);
  const sent = findErrorCode(response);
  const code = sent !== undefined && isApiErrorCode(sent) ? sent : undefined;
  if (!refusal || !(body || code)) return undefined;
  const sentence = code && findSentence(code, response, now);
  const what = sentence ?? quoteServer(response, body, refusal.what, now);
  const known = sentence && code ? adviseOn(code) : refusal.advice;
  const advice = adviseToWait(response) ?? known;
  const id = findHeader(response, "x-request-id");
  return new CliError(refusal.exitCode, what, advice, {
    body,
    requestId: id === undefined ? undefined : cleanText(id).slice(0, 100),
  });
}
