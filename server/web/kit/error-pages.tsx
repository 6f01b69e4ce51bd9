import type { FastifyReply, FastifyRequest } from "fastify";
import { ERROR_HEADER } from "../../../shared/errors.ts";
import type { Deps } from "../../deps.ts";
import { isAppError, type AppError, type ErrorCode } from "../../base/errors.ts";
import { refuseWith, toAppError } from "../../http/errors.ts";
import { languageOf } from "./asked.ts";
import { describeWait } from "./time.tsx";
import { renderDocument } from "./document.tsx";
import type { Reader } from "./reader.tsx";
import { ERROR_WORDS, type ErrorWords, type PageErrorCode } from "./error-words.ts";
import { policyOf } from "./style.ts";

/** What a form was about is not there any more, or is there already. */
const STALE: readonly ErrorCode[] = [
  "session_not_found",
  "passkey_not_found",
  "member_not_found",
  "hand_over_not_found",
  "owner_invited",
  "url_not_watched",
  "url_watched_already",
  "deployment_not_found",
  "hook_not_found",
  "alert_not_found",
  "incident_not_found",
  "incident_closed",
  "maintenance_not_found",
  "maintenance_over",
  "alert_without_secret",
  "alert_ended",
  "delivery_not_found",
  "delivery_sent",
];

/** The page of an error; errors that no page should meet have that of `internal`. */
function codeOnPage(code: ErrorCode): PageErrorCode {
  if (code in ERROR_WORDS) return code as PageErrorCode;
  if (STALE.includes(code)) return "form_stale";
  return code.startsWith("body_") ? "http_unreadable" : "internal";
}

function wordsOf(error: AppError): ErrorWords {
  const words: ErrorWords = ERROR_WORDS[codeOnPage(error.code)];
  if (!isAppError(error, "too_often")) return words;
  return { ...words, advice: describeWait(error.parameters.retryAfterSeconds) };
}

function renderErrorPage(error: AppError, { language, person }: Reader): string {
  const { title, advice, way } = wordsOf(error);
  return renderDocument({
    language,
    title,
    isIndexed: false,
    person,
    children: (
      <>
        <h1>{title}</h1>
        <p class="lead">{advice}</p>
        {way && (
          <p>
            <a href={way.href}>{way.label}</a>
          </p>
        )}
      </>
    ),
  });
}

const nobody = (request: FastifyRequest): Reader => ({ language: languageOf(request) });

/** What is rendered once: the pages for nobody in particular, which contain nothing of the request. */
function createPages() {
  const pages = new Map<string, string>();
  return (error: AppError, reader: Reader): string => {
    if (reader.person !== undefined || error.code === "too_often")
      return renderErrorPage(error, reader);
    const key = `${codeOnPage(error.code)} ${reader.language}`;
    const page = pages.get(key) ?? renderErrorPage(error, reader);
    pages.set(key, page);
    return page;
  };
}

/**
 * The only place where a failure becomes a page. An unexpected failure is logged in full and not disclosed.
 */
export function createErrorHandler(
  deps: Deps,
  findReader: (request: FastifyRequest) => Reader | Promise<Reader> = nobody,
) {
  const pageOf = createPages();
  return async (
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const known = toAppError(error, request, deps);
    const code = codeOnPage(known.code);
    const { status } = ERROR_WORDS[code];
    if (status === 500) deps.log.error({ err: error, requestId: request.id }, "request failed");
    // A crowd of refused reads reads nothing.
    const isTooMany = isAppError(known, "too_many_reads");
    const reader = await (isTooMany ? nobody : findReader)(request);
    return refuseWith(reply, status, known)
      .headers({
        [ERROR_HEADER]: code,
        "cache-control": "no-store",
        "content-security-policy": policyOf(),
      })
      .type("text/html; charset=utf-8")
      .send(pageOf(known, reader));
  };
}
