import type { ApiError } from "../../shared/error.ts";
import { API_ERRORS, type ApiErrorCode, ERROR_HEADER } from "../../shared/error-codes.ts";
import { PARAMETERS_HEADER, readParameters } from "../../shared/error-parameters.ts";
import { sayError } from "../../shared/error-words.ts";
import type { ReportLanguage, Words } from "../../shared/report/reported.ts";
import { CliError } from "../terminal/errors.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import { cleanText } from "../terminal/clean.ts";
import { quote } from "./failures.ts";
import { findErrorCode, findHeader, findRetryAfterS, type HttpResponse } from "./response.ts";

/** When the month's quota resets, by the server's Retry-After before this machine's clock. */
function describeReset(response: HttpResponse, now: Date): Words {
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
  readonly what: Words;
  readonly advice: Words;
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
    advice: {
      fr: "Mettez un jeton actif de ce serveur dans SHIPSCORE_TOKEN",
      en: "Put an active token of this server in SHIPSCORE_TOKEN",
    },
  },
  404: {
    exitCode: EXIT.projectNotFound,
    what: { fr: "le serveur n'a rien trouvé", en: "the server found nothing" },
    advice: {
      fr: "Lancez « shipscore projects » pour voir les projets de ce jeton",
      en: "Run 'shipscore projects' for the projects that this token sees",
    },
  },
  429: {
    exitCode: EXIT.quotaUsedUp,
    what: { fr: "le quota du mois est épuisé", en: "the month's quota is used up" },
    advice: {
      fr: "Attendez jusque-là, ou demandez une offre plus grande",
      en: "Wait until then, or ask for a larger plan",
    },
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
    advice: { fr: "Réessayez dans un instant", en: "Try again in a moment" },
  },
};

const COMPARE_VERSIONS: Words = {
  fr: "Lancez « shipscore doctor », qui compare les versions des deux côtés",
  en: "Run 'shipscore doctor', which compares the versions of both sides",
};

const OTHER_REFUSAL: RefusalMeaning = {
  exitCode: EXIT.noAnswer,
  what: { fr: "le serveur a refusé la requête", en: "the server refused the request" },
  advice: COMPARE_VERSIONS,
};

const NOTHING: Words = { fr: "", en: "" };

/** What to do about a code rather than about its status; it follows the sentence. */
const ADVICE: Partial<Readonly<Record<ApiErrorCode, Words>>> = {
  mcp_team_only: {
    fr: "Demandez l'offre Team à l'exploitant du serveur",
    en: "Ask the server's operator for the plan Team",
  },
  url_private: {
    fr: "SHIPSCORE_ALLOW_NETWORKS est le réglage du serveur pour cela",
    en: "SHIPSCORE_ALLOW_NETWORKS is the server's setting for that",
  },
  route_not_found: {
    fr: "Vérifiez le chemin dans SHIPSCORE_URL : l'API n'y est pas",
    en: "Check the path in SHIPSCORE_URL: the API was not found there",
  },
};

function adviseOn(code: ApiErrorCode, byStatus: Words): Words {
  // A bad request that is not about the URL is one that this command would not have sent.
  if (API_ERRORS[code].status === 400 && !code.startsWith("url_")) return COMPARE_VERSIONS;
  return ADVICE[code] ?? (API_ERRORS[code].instructs ? NOTHING : byStatus);
}

/** What to do where the server asks for more than a moment. */
function adviseToWait(response: HttpResponse): Words | undefined {
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

/** The sentence of a code, in the command's own words; undefined for a code or parameters that it does not know. */
function findSentence(response: HttpResponse, now: Date): Words | undefined {
  const code = findErrorCode(response);
  if (code === undefined) return undefined;
  const parameters = readParameters(code, findHeader(response, PARAMETERS_HEADER));
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
  what: Words,
  now: Date,
): Words {
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
  language: ReportLanguage,
): CliError | undefined {
  const isOurs = response.status >= 400 && findHeader(response, ERROR_HEADER) !== undefined;
  const refusal = REFUSALS[response.status] ?? (isOurs ? OTHER_REFUSAL : undefined);
  const code = findErrorCode(response);
  if (!refusal || !(body || code)) return undefined;
  const sentence = findSentence(response, now);
  const what = sentence ?? quoteServer(response, body, refusal.what, now);
  const known = sentence && code ? adviseOn(code, refusal.advice) : refusal.advice;
  const advice = adviseToWait(response) ?? known;
  const id = findHeader(response, "x-request-id");
  return new CliError(refusal.exitCode, what[language], advice[language], {
    body,
    requestId: id === undefined ? undefined : cleanText(id).slice(0, 100),
  });
}
