import type { ApiError } from "../../shared/error.ts";
import { API_ERRORS, type ApiErrorCode, ERROR_HEADER } from "../../shared/error-codes.ts";
import { CliError } from "../terminal/errors.ts";
import { EXIT, type ExitCode } from "../terminal/exit-codes.ts";
import { cleanText } from "../terminal/clean.ts";
import { quote } from "./failures.ts";
import { findErrorCode, findHeader, findRetryAfterS, type HttpResponse } from "./response.ts";

function describeTurn(response: HttpResponse, now: Date): string {
  const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1);
  const seconds = findRetryAfterS(response);
  const turn = seconds === undefined ? nextMonth : now.getTime() + seconds * 1000;
  const minute = new Date(Math.round(turn / 60_000) * 60_000).toISOString();
  return `${minute.slice(0, 10)} at ${minute.slice(11, 16)} UTC`;
}

interface RefusalMeaning {
  readonly exitCode: ExitCode;
  readonly what: string;
  readonly advice: string;
  /** What is left to say where the server's own sentence says what to do. */
  readonly rest?: string;
}

const REFUSALS: Readonly<Record<number, RefusalMeaning>> = {
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

type RefusalWords = Partial<Omit<RefusalMeaning, "exitCode">>;

const COMPARE_VERSIONS = "Run 'shipscore doctor', which compares the versions of both sides";

const OTHER_VERSION = {
  what: "the server refused the request",
  advice: COMPARE_VERSIONS,
  rest: COMPARE_VERSIONS,
} satisfies RefusalWords;

/** What a status without an exit code means. */
const OTHER_REFUSAL: RefusalMeaning = { exitCode: EXIT.noAnswer, ...OTHER_VERSION };

/** What is said of a code rather than of its status. */
const WORDS: Partial<Readonly<Record<ApiErrorCode, RefusalWords>>> = {
  mcp_team_only: {
    what: "the account's plan has no MCP",
    advice: "Ask the server's operator for the plan Team",
  },
  url_private: { rest: "SHIPSCORE_ALLOW_NETWORKS is the server's setting for that" },
  route_not_found: {
    advice: "Check the path in SHIPSCORE_URL: the API was not found there",
  },
  busy: { what: "the server has as many checks as it takes" },
};

/** A bad request that is not about the URL is one that this command would not have sent. */
const findWords = (code: ApiErrorCode): RefusalWords | undefined =>
  API_ERRORS[code].status === 400 && !code.startsWith("url_") ? OTHER_VERSION : WORDS[code];

/** What to do where the server asks for more than a moment. */
function adviseToWait(response: HttpResponse): string | undefined {
  const seconds = response.status === 503 ? findRetryAfterS(response) : undefined;
  if (seconds === undefined || seconds < 10) return undefined;
  return `It asks to be left alone for ${describeSpan(seconds)}: try again then, or wait with a longer --timeout`;
}

function describeSpan(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
}

/**
 * The error that an error response of one of our servers stands for; undefined if it is not from one, or if it neither has
 * a status with an exit code nor says its code. `body` is undefined for a page, which our servers answer where the API is
 * not.
 */
export function findRefusal(
  response: HttpResponse,
  body: ApiError | undefined,
  now: Date,
): CliError | undefined {
  const isOurs = response.status >= 400 && findHeader(response, ERROR_HEADER) !== undefined;
  const refusal = REFUSALS[response.status] ?? (isOurs ? OTHER_REFUSAL : undefined);
  const code = findErrorCode(response);
  if (!refusal || !(body || code)) return undefined;
  const words = { ...refusal, ...(code && findWords(code)) };
  const sentence = body ? quote(body.error, 1000) : undefined;
  let what = sentence ? `${words.what}: ${sentence}` : words.what;
  if (response.status === 429) {
    const count = body?.quota ? `${body.quota.used} of ${body.quota.limit} checks used; ` : "";
    what = `${what} (${count}the month turns on ${describeTurn(response, now)})`;
  }
  const id = findHeader(response, "x-request-id");
  const isInstructed = sentence !== undefined && code !== undefined && API_ERRORS[code].instructs;
  const advice = adviseToWait(response) ?? (isInstructed ? (words.rest ?? "") : words.advice);
  return new CliError(refusal.exitCode, what, advice, {
    body,
    requestId: id === undefined ? undefined : cleanText(id).slice(0, 100),
  });
}
