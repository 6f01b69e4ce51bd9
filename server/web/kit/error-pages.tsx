import { T } from "./reader.tsx";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ERROR_HEADER, sayError } from "../../../shared/errors.ts";
import type { Deps } from "../../deps.ts";
import { isAppError, type AppError, type ErrorCode } from "../../base/errors.ts";
import type { Text } from "../../../shared/language.ts";
import { refuseWith, toAppError } from "../../http/errors.ts";
import { languageOf } from "./request-parameters.ts";
import { describeWait } from "./time.tsx";
import { renderDocument } from "./document.tsx";
import type { Reader } from "./reader.tsx";
import { policyOf } from "./style.ts";

/** An error as a page shows it: what happened, and what to do; none of it comes from the request. */
interface ErrorWords extends Text {
  status: number;
  title: Text;
  /** Where to go on from. */
  way?: { href: string; label: Text };
}

const ERROR_WORDS = {
  unauthorized: {
    status: 401,
    title: { fr: "Connexion requise", en: "Sign-in required" },
    fr: "Cette page est réservée aux personnes connectées.",
    en: "This page is only for people who are signed in.",
  },
  link_gone: {
    status: 410,
    title: { fr: "Lien périmé", en: "This link no longer works" },
    fr: "Un lien fonctionne une fois, dans les 30 minutes, et seulement le plus récent. Si vous venez de vous en servir, connectez-vous ; sinon, demandez-en un autre par « Mot de passe oublié », sur la page de connexion.",
    en: "A link works once, within 30 minutes, and only the latest. If you have just used it, sign in; if not, ask for another by “Forgotten your password?” on the sign-in page.",
    way: { href: "/sign-in", label: { fr: "Se connecter", en: "Sign in" } },
  },
  http_unreadable: {
    status: 400,
    title: { fr: "Demande illisible", en: "Unreadable request" },
    fr: "Cette demande est arrivée incomplète. Revenez à la page précédente et recommencez.",
    en: "This request arrived incomplete. Go back to the page before and try again.",
  },
  body_too_large: {
    status: 413,
    title: { fr: "Texte trop long", en: "Too much text" },
    fr: "Ce formulaire contient plus de texte que ce serveur n'en accepte en une fois. Revenez à la page précédente et envoyez-le en plusieurs fois.",
    en: "This form holds more text than this server accepts at once. Go back to the previous page and send it in parts.",
  },
  body_media_type: {
    status: 415,
    title: { fr: "Format refusé", en: "Format refused" },
    fr: "Cette adresse n'accepte que les formulaires de ses propres pages. Les programmes passent par l'API.",
    en: "This address only accepts the forms of its own pages. Programs use the API.",
  },
  input_invalid: {
    status: 422,
    title: { fr: "Valeur refusée", en: "Value refused" },
    fr: "Une valeur de ce formulaire ne peut pas être acceptée, et rien n'a été changé. Revenez à la page précédente et corrigez-la.",
    en: "A value of this form cannot be accepted, and nothing was changed. Go back to the previous page and correct it.",
  },
  form_foreign: {
    status: 403,
    title: { fr: "Formulaire refusé", en: "Form refused" },
    fr: "Ce formulaire ne vient pas d'une page de ce serveur, et rien n'a été changé. Ouvrez la page de ce serveur et recommencez depuis là.",
    en: "This form did not come from a page of this server, and nothing was changed. Open the page of this server and try again from there.",
  },
  form_stale: {
    status: 409,
    title: { fr: "Page dépassée", en: "Page out of date" },
    fr: "Ce que montrait cette page a changé entre-temps, et rien n'a été fait. Rouvrez-la pour voir ce qu'il en est.",
    en: "What this page showed has changed since, and nothing was done. Open it again to see how things stand.",
  },
  owner_only: {
    status: 403,
    title: { fr: "Réservé au propriétaire", en: "For the owner" },
    fr: "Vous êtes membre de ce projet : vous le voyez, mais seul son propriétaire peut le modifier.",
    en: "You are a member of this project: you see it, but only its owner can change it.",
  },
  owner_stays: {
    status: 409,
    title: { fr: "Ce projet est à vous", en: "This project is yours" },
    fr: "Un projet a toujours un propriétaire. Cédez-le d'abord à un membre, depuis ses réglages, ou supprimez-le.",
    en: "A project always has an owner. First transfer it to a member, from its settings, or delete it.",
  },
  invitation_not_found: {
    status: 404,
    title: { fr: "Invitation introuvable", en: "Invitation not found" },
    fr: "Cette invitation n'existe pas ou n'existe plus : elle a été annulée, elle a plus de 14 jours, ou elle a déjà sa réponse. Elle ne vaut que pour l'adresse e-mail qui l'a reçue.",
    en: "This invitation does not exist, or not any more: it was withdrawn, it is over 14 days old, or it was answered already. It is only for the e-mail address that received it.",
  },
  too_many_projects: {
    status: 409,
    title: { fr: "Trop de projets", en: "Too many projects" },
    fr: "Vous avez 100 projets, le maximum. Supprimez-en un ou cédez-le, puis recommencez.",
    en: "You have 100 projects, the most allowed. Delete one or transfer it, then try again.",
  },
  too_many_account_urls: {
    status: 409,
    title: { fr: "Trop d'URL surveillées", en: "Too many watched URLs" },
    fr: "Un compte surveille au plus 5 000 URL, tous projets confondus. Retirez-en d'abord, puis recommencez.",
    en: "An account watches at most 5,000 URLs over all its projects. Remove some first, then try again.",
  },
  too_often: {
    status: 429,
    title: { fr: "Trop de tentatives", en: "Too many tries" },
    fr: "Il y a eu trop de tentatives en peu de temps. Réessayez plus tard.",
    en: "There were too many tries in a short time. Try again later.",
  },
  too_many_reads: {
    status: 429,
    title: { fr: "Trop de pages à la fois", en: "Too many pages at once" },
    fr: "Trop de pages de ce compte sont demandées en même temps. Attendez une seconde, puis rechargez cette page.",
    en: "Too many pages of this account are being loaded at once. Wait a second, then reload this page.",
  },
  host_foreign: {
    status: 403,
    title: { fr: "Adresse inconnue de ce serveur", en: "Not an address of this server" },
    fr: "Ce serveur ne répond que sur sa propre machine, et cette page a été demandée sous un autre nom. Ouvrez-la sous localhost ou 127.0.0.1, ou nommez son adresse dans SHIPSCORE_PUBLIC_URL.",
    en: "This server only answers on its own machine, and this page was asked for under another name. Open it at localhost or 127.0.0.1, or name its address in SHIPSCORE_PUBLIC_URL.",
  },
  origin_foreign: {
    status: 403,
    title: { fr: "Demande d'un autre site", en: "Request from another site" },
    fr: "Cette demande vient d'une page d'un autre site, et ce serveur n'accepte que celles de ses propres pages. Ouvrez la page de ce serveur et recommencez depuis là.",
    en: "This request came from a page of another site, and this server only accepts those of its own pages. Open the page of this server and try again from there.",
  },
  project_not_found: {
    status: 404,
    title: { fr: "Projet introuvable", en: "Project not found" },
    fr: "Ce projet n'existe pas, ou il n'est pas partagé avec vous. Vérifiez l'adresse de la page, ou demandez une invitation à son propriétaire.",
    en: "This project does not exist, or it is not shared with you. Check the address of the page, or ask its owner for an invitation.",
  },
  check_not_found: {
    status: 404,
    title: { fr: "Vérification introuvable", en: "Check not found" },
    fr: "Cette vérification n'existe pas, elle a plus de 90 jours, ou elle n'est pas à vous. Vos vérifications sont sous « Vérifications ».",
    en: "This check does not exist, it is over 90 days old, or it is not yours. Yours are under Checks.",
  },
  scan_not_found: {
    status: 404,
    title: { fr: "Analyse introuvable", en: "Scan not found" },
    fr: "Cette analyse n'existe pas ou n'existe plus : elle a été supprimée, ou elle a plus de 30 jours. Lancez-en une nouvelle.",
    en: "This scan does not exist, or not any more: it was deleted, or it is over 30 days old. Start a new one.",
  },
  scan_key_wrong: {
    status: 403,
    title: { fr: "Suppression refusée", en: "Deletion refused" },
    ...sayError("scan_key_wrong", {}),
  },
  route_not_found: {
    status: 404,
    title: { fr: "Page introuvable", en: "Page not found" },
    fr: "Cette adresse ne mène à aucune page. Vérifiez qu'elle est complète et bien écrite.",
    en: "No page is at this address. Check that it is complete and spelled correctly.",
  },
  token_not_found: {
    status: 404,
    title: { fr: "Jeton introuvable", en: "Token not found" },
    fr: "Ce jeton n'existe pas, ou il n'est pas à vous. Les vôtres sont dans les réglages de l'API.",
    en: "This token does not exist, or it is not yours. Yours are in the API settings.",
  },
  subscription_not_found: {
    status: 404,
    title: { fr: "Abonnement introuvable", en: "Subscription not found" },
    fr: "Cette adresse ne mène à aucun abonnement, ou il a été supprimé et plus rien n'est envoyé. Vérifiez que l'adresse est complète.",
    en: "There is no subscription at this address, or it has been removed, and nothing more is sent. Check that the address is complete.",
  },
  internal: {
    status: 500,
    title: { fr: "Erreur interne", en: "Internal error" },
    fr: "Cette page n'a pas pu être affichée. Réessayez ; si l'erreur persiste, transmettez l'identifiant X-Request-Id de cette réponse à l'exploitant du serveur.",
    en: "This page could not be shown. Try again; if it keeps failing, give the X-Request-Id of this answer to the operator of the server.",
  },
  busy: {
    status: 503,
    title: { fr: "Serveur occupé", en: "Server busy" },
    fr: "Le serveur a trop à faire en ce moment. Rechargez cette page dans quelques secondes.",
    en: "The server has too much to do at the moment. Reload this page in a few seconds.",
  },
  alert_waiting: {
    status: 409,
    title: { fr: "Pas encore accepté", en: "Not accepted yet" },
    fr: "Le destinataire n'a pas encore accepté. Rien ne lui est envoyé avant, pas même un essai : il accepte par le lien de l'e-mail qui le lui demande.",
    en: "The recipient has not accepted yet. Nothing is sent before, not even a test: they accept by the link in the e-mail that asks them.",
  },
  unavailable: {
    status: 503,
    title: { fr: "Service indisponible", en: "Service unavailable" },
    fr: "Les données de cette page ne peuvent pas être lues pour l'instant. Rechargez-la dans quelques instants.",
    en: "The data of this page cannot be read at the moment. Reload it in a little while.",
  },
  shutting_down: {
    status: 503,
    title: { fr: "Serveur en cours d'arrêt", en: "Server shutting down" },
    fr: "Le serveur s'arrête ou redémarre. Rechargez cette page dans quelques secondes.",
    en: "The server is stopping or restarting. Reload this page in a few seconds.",
  },
} as const satisfies Partial<Record<ErrorCode, ErrorWords>>;

/** The codes of the errors that have a page. */
type PageErrorCode = keyof typeof ERROR_WORDS;

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
  return { ...words, ...describeWait(error.parameters.retryAfterSeconds) };
}

function renderErrorPage(error: AppError, { language, person }: Reader): string {
  const { title, fr, en, way } = wordsOf(error);
  return renderDocument({
    language,
    title,
    isIndexed: false,
    person,
    children: (
      <>
        <h1>
          <T text={title} />
        </h1>
        <p class="lead">
          <T text={{ fr, en }} />
        </p>
        {way && (
          <p>
            <a href={way.href}>
              <T text={way.label} />
            </a>
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
