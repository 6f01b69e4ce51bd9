import type { Text } from "../../../base/language.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { judgeUnread } from "../facts/gatekeeper.ts";
import { findAnswer, headerValues } from "../../evidence/page.ts";
import { findSessions } from "../facts/session-cookies.ts";
import type { Judgement, Rule } from "../rule.ts";
import { cut, fail, ownAnswer, partial, pass, unknown } from "../rule.ts";

const NULL_FIX = {
  fr: "N'autorisez jamais null, origine de tout cadre isolé (sandbox) : retirez-le, ou retirez Access-Control-Allow-Credentials.",
  en: "Never allow null, the origin of any sandboxed frame: remove it, or remove Access-Control-Allow-Credentials.",
};

/** Whether the answer is a redirect or an error other than the page's, and so says nothing about the page. */
function isOfAnother(status: number, pageStatus: number | undefined): boolean {
  return (status >= 300 && status < 400) || (status >= 400 && status !== pageStatus);
}

/** Judges a page that any site may read; this matters most if the visitor has a session. */
function judgeOpen(evidence: Evidence, seen: Text, fix?: Text): Judgement {
  const [session] = findSessions(evidence);
  if (!session) return partial("no_session", seen, fix);
  const name = cut(session.name, 60);
  return fail(
    {
      fr: `${seen.fr} La page pose un cookie de session (${name}).`,
      en: `${seen.en} The page sets a session cookie (${name}).`,
    },
    fix,
  );
}

export const cors: Rule = {
  id: "cors.credentials",
  title: {
    fr: "Pas de lecture par un site étranger (CORS)",
    en: "No reading by a foreign site (CORS)",
  },
  measures: {
    fr: "À une requête d'une origine étrangère, le serveur ne répond pas en autorisant cette origine, ou null, avec les cookies ; sur une page qui ne pose pas de cookie de session, la faute coûte moins.",
    en: "To a request from a foreign origin, the server does not answer by allowing that origin, or null, with credentials; on a page that sets no session cookie the fault costs less.",
  },
  matters: {
    fr: "N'importe quel site peut lire la page avec la session de son visiteur.",
    en: "Any site can read the page with its visitor's session.",
  },
  fix: {
    fr: "Ne recopiez Origin que s'il est dans votre liste d'origines connues, avec Vary: Origin ; sinon, retirez Access-Control-Allow-Credentials.",
    en: "Echo Origin only where it is in your list of known origins, with Vary: Origin; otherwise remove Access-Control-Allow-Credentials.",
  },
  standard: {
    name: "Fetch, CORS check",
    url: "https://fetch.spec.whatwg.org/#concept-cors-check",
  },
  capReason: {
    fr: "N'importe quel site peut lire la page avec la session de son visiteur, dont elle pose le cookie.",
    en: "Any site can read the page with its visitor's session, whose cookie it sets.",
  },
  parents: ownAnswer,
  judge(evidence) {
    const { status, headers, origin } = evidence.cors;
    const allowed = headerValues(headers, "access-control-allow-origin").join(", ");
    const credentials = headerValues(headers, "access-control-allow-credentials").join(", ");
    if (status === null)
      return unknown({
        fr: "La requête d'une origine étrangère n'a pas eu de réponse.",
        en: "The request from a foreign origin got no answer.",
      });
    const seen = {
      fr: `Access-Control-Allow-Origin: ${cut(allowed, 120)} ; Access-Control-Allow-Credentials: ${cut(credentials, 40) || "absent"}.`,
      en: `Access-Control-Allow-Origin: ${cut(allowed, 120)}; Access-Control-Allow-Credentials: ${cut(credentials, 40) || "missing"}.`,
    };
    const hasCredentials = credentials === "true";
    if (hasCredentials && allowed === "null") return judgeOpen(evidence, seen, NULL_FIX);
    if (hasCredentials && allowed === origin) return judgeOpen(evidence, seen);
    const unread = judgeUnread(evidence);
    if (unread) return unread;
    if (allowed !== "") return pass(seen);
    if (isOfAnother(status, findAnswer(evidence)?.status))
      return unknown({
        fr: `La requête d'une origine étrangère a reçu le statut ${status}, et non la page.`,
        en: `The request from a foreign origin got status ${status}, and not the page.`,
      });
    return pass({ fr: "Aucune autre origine n'est autorisée.", en: "No other origin is allowed." });
  },
};
