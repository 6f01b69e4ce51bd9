import type { FastifyReply, FastifyRequest } from "fastify";
import { ERROR_HEADER, type ApiErrorCode } from "../../shared/error.ts";
import type { Deps } from "../deps.ts";
import { isAppError } from "../errors.ts";
import { LANGUAGES, preferredLanguage, type Language, type Text } from "../language.ts";
import { renderDocument, typesetFrench } from "./document.tsx";

interface ErrorPage {
  /** For a program that ended up on this page. */
  code: ApiErrorCode;
  status: number;
  title: Text;
  advice: Text;
}

const NOT_FOUND: ErrorPage = {
  code: "route_not_found",
  status: 404,
  title: { fr: "Page introuvable", en: "Page not found" },
  advice: {
    fr: "Cette adresse ne mène à aucune page. Vérifiez qu'elle est complète et bien écrite.",
    en: "No page is at this address. Check that it is complete and spelled correctly.",
  },
};
const INTERNAL: ErrorPage = {
  code: "internal",
  status: 500,
  title: { fr: "Erreur interne", en: "Internal error" },
  advice: {
    fr: "Cette page n'a pas pu être affichée. Réessayez ; si l'erreur persiste, transmettez l'identifiant X-Request-Id de cette réponse à l'exploitant du serveur.",
    en: "This page could not be shown. Try again; if it keeps failing, give the X-Request-Id of this answer to the operator of the server.",
  },
};

function renderErrorPage({ title, advice }: ErrorPage, language: Language): string {
  const speak = (text: Text) => (language === "fr" ? typesetFrench(text.fr) : text.en);
  return renderDocument({
    language,
    title: speak(title),
    children: (
      <>
        <h1>{speak(title)}</h1>
        <p>{speak(advice)}</p>
      </>
    ),
  });
}

const renderInEachLanguage = (page: ErrorPage) =>
  Object.fromEntries(LANGUAGES.map((each) => [each, renderErrorPage(page, each)])) as Text;

/**
 * The only place where a failure becomes a page. The pages are rendered once and contain nothing of the request, which
 * therefore need not be authenticated. An unexpected failure is logged in full and not disclosed.
 */
export function createErrorHandler(deps: Deps) {
  const texts = new Map([NOT_FOUND, INTERNAL].map((page) => [page, renderInEachLanguage(page)]));
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const page = isAppError(error, "route_not_found") ? NOT_FOUND : INTERNAL;
    if (page === INTERNAL) deps.log.error({ err: error, requestId: request.id }, "request failed");
    const language = preferredLanguage(request.headers["accept-language"]);
    return reply
      .status(page.status)
      .headers({
        [ERROR_HEADER]: page.code,
        "cache-control": "no-store",
        vary: "Accept-Language",
      })
      .type("text/html; charset=utf-8")
      .send(texts.get(page)?.[language]);
  };
}
