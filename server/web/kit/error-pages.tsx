import type { FastifyReply, FastifyRequest } from "fastify";
import { ERROR_HEADER } from "../../../shared/error-codes.ts";
import { say } from "../../../shared/report/words.ts";
import type { Deps } from "../../deps.ts";
import { isAppError, type AppError } from "../../base/errors.ts";
import { refuseWith } from "../../http/failure.ts";
import { toAppError } from "../../http/json-errors.ts";
import { languageOf } from "./asked.ts";
import { describeWait } from "./age.ts";
import { renderDocument } from "./document.tsx";
import type { Reader } from "./reader.tsx";
import { codeOnPage, ERROR_WORDS, type ErrorWords } from "./error-words.ts";
import { policyOf } from "./style.ts";

function wordsOf(error: AppError): ErrorWords {
  const words = ERROR_WORDS[codeOnPage(error.code)];
  if (!isAppError(error, "too_often")) return words;
  return { ...words, advice: describeWait(error.parameters.retryAfterSeconds) };
}

function renderErrorPage(error: AppError, { language, person }: Reader): string {
  const { title, advice, way } = wordsOf(error);
  return renderDocument({
    language,
    title: say(title, language),
    isIndexed: false,
    person,
    children: (
      <>
        <h1>{say(title, language)}</h1>
        <p class="lead">{say(advice, language)}</p>
        {way && (
          <p>
            <a href={way.href}>{say(way.label, language)}</a>
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
    const reader = await findReader(request);
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
