import type { FastifyReply, FastifyRequest } from "fastify";
import { ERROR_HEADER } from "../../../shared/error.ts";
import { say } from "../../../shared/report/words.ts";
import type { Deps } from "../../deps.ts";
import { RETRY_AFTER_SECONDS, toRequestError } from "../../http/failure.ts";
import { LANGUAGES, preferredLanguage, type Language, type Text } from "../../language.ts";
import { renderDocument } from "./document.tsx";
import { codeOnPage, ERROR_WORDS, type ErrorWords } from "./error-words.ts";

function renderErrorPage({ title, advice }: ErrorWords, language: Language): string {
  const speak = (text: Text) => say(text, language);
  return renderDocument({
    language,
    title: speak(title),
    isIndexed: false,
    children: (
      <>
        <h1>{speak(title)}</h1>
        <p class="lead">{speak(advice)}</p>
      </>
    ),
  });
}

const renderInEachLanguage = (words: ErrorWords) =>
  Object.fromEntries(LANGUAGES.map((each) => [each, renderErrorPage(words, each)])) as Text;

/**
 * The only place where a failure becomes a page. The pages are rendered once and contain nothing of the request, which
 * therefore need not be authenticated. An unexpected failure is logged in full and not disclosed.
 */
export function createErrorHandler(deps: Deps) {
  const pages = new Map(
    Object.entries(ERROR_WORDS).map(([code, words]) => [code, renderInEachLanguage(words)]),
  );
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const code = codeOnPage(toRequestError(error, deps));
    const { status } = ERROR_WORDS[code];
    if (status === 500) deps.log.error({ err: error, requestId: request.id }, "request failed");
    if (status === 503) reply.header("retry-after", RETRY_AFTER_SECONDS);
    const language = preferredLanguage(request.headers["accept-language"]);
    return reply
      .status(status)
      .headers({
        [ERROR_HEADER]: code,
        "cache-control": "no-store",
        vary: "Accept-Language",
      })
      .type("text/html; charset=utf-8")
      .send(pages.get(code)?.[language]);
  };
}
