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

/** No part of it comes from the request. */
interface ErrorWords extends Text {
  status: number;
  title: Text;
  link?: { href: string; label: Text };
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
    title: { fr: "Lien expiré", en: "This link no longer works" },
    fr: "Un lien n'est utilisable qu'une fois, pendant 30 minutes, et seul le plus récent est valable. Si vous venez de l'utiliser, connectez-vous ; sinon, demandez-en un autre avec « Mot de passe oublié ? », sur la page de connexion.",
    en: "A link can be used once, within 30 minutes, and only the latest one works. If you have just used it, sign in; if not, ask for another with “Forgot your password?” on the sign-in page.",
    link: { href: "/sign-in", label: { fr: "Se connecter", en: "Sign in" } },
  },
  http_unreadable: {
    status: 400,
    title: { fr: "Requête illisible", en: "Unreadable request" },
    fr: "Cette requête est arrivée incomplète. Revenez à la page précédente et recommencez.",
    en: "This request arrived incomplete. Go back to the previous page and try again.",
  },
  body_too_large: {
    status: 413,
    title: { fr: "Texte trop long", en: "Text too long" },
    fr: "Ce formulaire contient plus de texte que ce serveur n'en accepte à la fois. Revenez à la page précédente et envoyez le texte en plusieurs fois.",
    en: "This form contains more text than this server accepts at a time. Go back to the previous page and send the text in parts.",
  },
  body_media_type: {
    status: 415,
    title: { fr: "Format refusé", en: "Format refused" },
    fr: "Cette adresse n'accepte que les formulaires des pages de ce serveur. Les programmes doivent utiliser l'API.",
    en: "This URL accepts only forms from this server's pages. Programs must use the API.",
  },
  input_invalid: {
    status: 422,
    title: { fr: "Valeur refusée", en: "Invalid value" },
    fr: "Une valeur de ce formulaire n'est pas valide, et rien n'a été modifié. Revenez à la page précédente et corrigez-la.",
    en: "A value in this form is not valid, and nothing was changed. Go back to the previous page and correct it.",
  },
  form_foreign: {
    status: 403,
    title: { fr: "Formulaire refusé", en: "Form rejected" },
    fr: "Ce formulaire ne vient pas d'une page de ce serveur, et rien n'a été modifié. Ouvrez la page correspondante de ce serveur et recommencez.",
    en: "This form did not come from a page of this server, and nothing was changed. Open the page on this server and try again.",
  },
  form_stale: {
    status: 409,
    title: { fr: "Page qui n'est plus à jour", en: "Page out of date" },
    fr: "Le contenu de cette page a changé entre-temps, et aucune action n'a été effectuée. Rouvrez-la pour voir l'état actuel.",
    en: "This page was out of date, and nothing was done. Open it again to see the current state.",
  },
  owner_only: {
    status: 403,
    title: { fr: "Réservé au propriétaire", en: "For the owner only" },
    fr: "Vous êtes membre de ce projet : vous le voyez, mais seul son propriétaire peut le modifier.",
    en: "You are a member of this project: you can see it, but only its owner can change it.",
  },
  owner_stays: {
    status: 409,
    title: { fr: "Ce projet est à vous", en: "This project is yours" },
    fr: "Un projet a toujours un propriétaire. Transférez-le d'abord à un membre, dans ses réglages, ou supprimez-le.",
    en: "A project always has an owner. Transfer it to a member first, in its settings, or delete it.",
  },
  invitation_not_found: {
    status: 404,
    title: { fr: "Invitation introuvable", en: "Invitation not found" },
    fr: "Cette invitation n'existe pas ou n'existe plus : elle a été annulée, elle a plus de 14 jours, ou vous y avez déjà répondu. Elle n'est valable que pour l'adresse e-mail qui l'a reçue.",
    en: "This invitation does not exist or no longer exists: it was withdrawn, is over 14 days old, or has already been answered. It is only valid for the e-mail address that received it.",
  },
  too_many_projects: {
    status: 409,
    title: { fr: "Trop de projets", en: "Too many projects" },
    fr: "Vous avez 100 projets : c'est le maximum. Supprimez-en un ou transférez-le, puis recommencez.",
    en: "You have 100 projects, which is the limit. Delete or transfer one, then try again.",
  },
  too_many_account_urls: {
    status: 409,
    title: { fr: "Trop d'URL surveillées", en: "Too many watched URLs" },
    fr: "Un compte surveille au plus 5 000 URL, tous projets confondus. Retirez-en quelques-unes, puis recommencez.",
    en: "An account watches at most 5,000 URLs across all its projects. Remove some first, then try again.",
  },
  too_often: {
    status: 429,
    title: { fr: "Trop de tentatives", en: "Too many attempts" },
    fr: "Trop de tentatives en peu de temps. Réessayez plus tard.",
    en: "Too many attempts in a short time. Try again later.",
  },
  too_many_reads: {
    status: 429,
    title: { fr: "Trop de pages à la fois", en: "Too many pages at a time" },
    fr: "Trop de pages de ce compte sont chargées en même temps. Attendez une seconde, puis rechargez cette page.",
    en: "Too many of this account's pages are being loaded at the same time. Wait a second, then reload this page.",
  },
  host_foreign: {
    status: 403,
    title: { fr: "Adresse inconnue de ce serveur", en: "Not a URL of this server" },
    fr: "Ce serveur ne répond que sur sa propre machine, et cette page a été ouverte avec un autre nom d'hôte. Ouvrez-la à l'adresse localhost ou 127.0.0.1, ou définissez SHIPSCORE_PUBLIC_URL avec ce nom.",
    en: "This server responds only on its own machine, and this page was requested under another host name. Open it at localhost or 127.0.0.1, or set SHIPSCORE_PUBLIC_URL to a URL with that name.",
  },
  origin_foreign: {
    status: 403,
    title: { fr: "Requête d'un autre site", en: "Request from another site" },
    fr: "Cette requête vient d'une page d'un autre site, et ce serveur n'accepte que celles de ses propres pages. Ouvrez la page correspondante de ce serveur et recommencez.",
    en: "This request came from a page of another site, and this server only accepts those of its own pages. Open the page on this server and try again.",
  },
  project_not_found: {
    status: 404,
    title: { fr: "Projet introuvable", en: "Project not found" },
    fr: "Ce projet n'existe pas, ou il n'est pas partagé avec vous. Vérifiez l'adresse de la page, ou demandez une invitation à son propriétaire.",
    en: "This project does not exist, or it is not shared with you. Check the page's URL, or ask the project's owner for an invitation.",
  },
  check_not_found: {
    status: 404,
    title: { fr: "Vérification introuvable", en: "Check not found" },
    fr: "Cette vérification n'existe pas, a plus de 90 jours ou n'est pas à vous. Les vôtres sont dans « Vérifications ».",
    en: "This check does not exist, is over 90 days old, or is not yours. Yours are under “Checks”.",
  },
  evidence_outdated: {
    status: 410,
    title: { fr: "Rapport d'une autre version", en: "Report of another version" },
    fr: "Ce rapport a été établi par une autre version de shipscore, qui évaluait les pages autrement. Vérifiez de nouveau l'URL.",
    en: "This report was made by another version of shipscore, which assessed pages differently. Check the URL again.",
  },
  scan_not_found: {
    status: 404,
    title: { fr: "Analyse introuvable", en: "Scan not found" },
    fr: "Cette analyse n'existe pas ou n'existe plus : elle a été supprimée, ou elle a plus de 30 jours. Lancez-en une nouvelle.",
    en: "This scan does not exist or no longer exists: it was deleted, or is over 30 days old. Start a new one.",
  },
  scan_key_wrong: {
    status: 403,
    title: { fr: "Suppression refusée", en: "Deletion refused" },
    ...sayError("scan_key_wrong", {}),
  },
  route_not_found: {
    status: 404,
    title: { fr: "Page introuvable", en: "Page not found" },
    fr: "Aucune page n'existe à cette adresse. Vérifiez qu'elle est complète et sans faute de frappe.",
    en: "There is no page at this URL. Check that it is complete and spelled correctly.",
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
    fr: "Aucun abonnement n'existe à cette adresse, ou il a été supprimé et plus rien n'est envoyé. Vérifiez que l'adresse est complète.",
    en: "There is no subscription at this URL, or it has been removed, and nothing more is sent. Check that the URL is complete.",
  },
  internal: {
    status: 500,
    title: { fr: "Erreur interne", en: "Internal error" },
    fr: "Cette page n'a pas pu être affichée. Réessayez ; si l'erreur persiste, transmettez l'identifiant X-Request-Id de cette réponse à l'administrateur du serveur.",
    en: "This page could not be shown. Try again; if it keeps failing, send the X-Request-Id of this response to the server's administrator.",
  },
  busy: {
    status: 503,
    title: { fr: "Serveur surchargé", en: "Server overloaded" },
    fr: "Le serveur est surchargé. Rechargez cette page dans quelques secondes.",
    en: "The server is overloaded. Reload this page in a few seconds.",
  },
  alert_waiting: {
    status: 409,
    title: { fr: "Pas encore accepté", en: "Not accepted yet" },
    fr: "Le destinataire n'a pas encore accepté. D'ici là, rien ne lui est envoyé, pas même un message de test : il doit accepter en suivant le lien reçu par e-mail.",
    en: "The recipient has not accepted yet. Until they do, nothing is sent, not even a test message: they accept with the link in the e-mail they received.",
  },
  unavailable: {
    status: 503,
    title: { fr: "Service indisponible", en: "Service unavailable" },
    fr: "Les données de cette page ne peuvent pas être lues pour l'instant. Rechargez-la dans quelques instants.",
    en: "The data for this page cannot be read right now. Reload the page in a moment.",
  },
  shutting_down: {
    status: 503,
    title: { fr: "Serveur en cours d'arrêt", en: "Server shutting down" },
    fr: "Le serveur s'arrête ou redémarre. Rechargez cette page dans quelques secondes.",
    en: "The server is stopping or restarting. Reload this page in a few seconds.",
  },
} as const satisfies Partial<Record<ErrorCode, ErrorWords>>;

type PageErrorCode = keyof typeof ERROR_WORDS;

/** The item of a form no longer exists, or exists already. */
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

/** Errors that should never reach a page get the page of `internal`. */
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
  const { title, fr, en, link } = wordsOf(error);
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
        {link && (
          <p>
            <a href={link.href}>
              <T text={link.label} />
            </a>
          </p>
        )}
      </>
    ),
  });
}

const visitorOf = (request: FastifyRequest): Reader => ({ language: languageOf(request) });

/** Visitors share a page, because it contains nothing of the request. */
function createPageCache() {
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

/** An unexpected error is logged in full and not disclosed. */
export function createErrorHandler(
  deps: Deps,
  findReader: (request: FastifyRequest) => Reader | Promise<Reader> = visitorOf,
) {
  const pageOf = createPageCache();
  return async (
    error: unknown,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> => {
    const known = toAppError(error, request, deps);
    const code = codeOnPage(known.code);
    const { status } = ERROR_WORDS[code];
    if (status === 500) deps.log.error({ err: error, requestId: request.id }, "request failed");
    // Refused reads must not cause more database reads.
    const isTooMany = isAppError(known, "too_many_reads");
    const reader = await (isTooMany ? visitorOf : findReader)(request);
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
