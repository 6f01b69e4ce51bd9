import { judgeUnread } from "../gatekeeper.ts";
import { findAnswer, headerValues, pageUrl } from "../page.ts";
import { type Rule, cut, fail, ownAnswer, pass, text, unknown } from "../../../rule.ts";
import { isUrl } from "../../../../../shared/url.ts";

/** Names that nobody can own (RFC 2606). The probe's Origin bears one, so that only a reflection can allow it. */
const RESERVED_NAME = /(?:^|\.)(?:invalid|example|test|example\.(?:com|net|org))$/;

/** Compared byte for byte, as browsers do (Fetch, CORS check). */
function isReflected(allowed: string, ownHost: string): boolean {
  if (!isUrl(allowed)) return false;
  const { hostname, origin } = new URL(allowed);
  return origin === allowed && hostname !== ownHost && RESERVED_NAME.test(hostname);
}

/** A redirect or an error says nothing of a page that answers otherwise. */
function isOfAnother(status: number, pageStatus: number | undefined): boolean {
  return (status >= 300 && status < 400) || (status >= 400 && status !== pageStatus);
}

export const cors: Rule = {
  id: "cors.credentials",
  title: text("Pas de lecture par un site étranger (CORS)", "No reading by a foreign site (CORS)"),
  measures: text(
    "À une requête d'une origine étrangère, le serveur ne répond pas en autorisant cette origine, ou null, avec les cookies.",
    "To a request from a foreign origin, the server does not answer by allowing that origin, or null, with credentials.",
  ),
  matters: text(
    "N'importe quel site peut lire la page avec la session de son visiteur.",
    "Any site can read the page with its visitor's session.",
  ),
  fix: text(
    "Ne recopiez Origin que s'il est dans votre liste d'origines connues, avec Vary: Origin ; sinon, retirez Access-Control-Allow-Credentials.",
    "Echo Origin only where it is in your list of known origins, with Vary: Origin; otherwise remove Access-Control-Allow-Credentials.",
  ),
  standard: {
    name: "Fetch, CORS check",
    url: "https://fetch.spec.whatwg.org/#concept-cors-check",
  },
  parents: ownAnswer,
  judge(evidence) {
    const { status, headers } = evidence.cors;
    const origins = headerValues(headers, "access-control-allow-origin");
    const credentials = headerValues(headers, "access-control-allow-credentials").join(", ");
    const allowed = origins.join(", ");
    if (status === null)
      return unknown(
        text(
          "La requête d'une origine étrangère n'a pas eu de réponse.",
          "The request from a foreign origin got no answer.",
        ),
      );
    const seen = text(
      `Access-Control-Allow-Origin: ${cut(allowed, 120)} ; Access-Control-Allow-Credentials: ${cut(credentials, 40) || "absent"}.`,
      `Access-Control-Allow-Origin: ${cut(allowed, 120)}; Access-Control-Allow-Credentials: ${cut(credentials, 40) || "missing"}.`,
    );
    if (credentials === "true" && allowed === "null")
      return fail(
        seen,
        text(
          "N'autorisez jamais null, origine de tout cadre isolé (sandbox) : retirez-le, ou retirez Access-Control-Allow-Credentials.",
          "Never allow null, the origin of any sandboxed frame: remove it, or remove Access-Control-Allow-Credentials.",
        ),
      );
    if (credentials === "true" && isReflected(allowed, pageUrl(evidence).hostname))
      return fail(seen);
    const unread = judgeUnread(evidence);
    if (unread) return unread;
    if (allowed !== "") return pass(seen);
    if (isOfAnother(status, findAnswer(evidence)?.status))
      return unknown(
        text(
          `La requête d'une origine étrangère a reçu le statut ${status}, et non la page.`,
          `The request from a foreign origin got status ${status}, and not the page.`,
        ),
      );
    return pass(text("Aucune autre origine n'est autorisée.", "No other origin is allowed."));
  },
};
