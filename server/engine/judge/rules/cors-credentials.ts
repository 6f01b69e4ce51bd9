import type { Text } from "../../../../shared/language.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { judgeUnread } from "../facts/gatekeeper.ts";
import { findAnswer, headerValues } from "../../evidence/accessors.ts";
import { findSessions } from "../facts/session-cookies.ts";
import type { Judgement, Rule } from "../rule.ts";
import { cut, fail, ownAnswer, partial, pass, unknownAtWorst } from "../rule.ts";

const NULL_FIX = {
  fr: "N'autorisez jamais l'origine null, celle de toute iframe isolée (sandbox). Retirez null, ou retirez Access-Control-Allow-Credentials.",
  en: "Never allow the origin null, which any sandboxed frame has. Remove null, or remove Access-Control-Allow-Credentials.",
};

/** A redirect says nothing about the page. Neither does an error status that the page itself does not have. */
function isOfAnother(status: number, pageStatus: number | undefined): boolean {
  return (status >= 300 && status < 400) || (status >= 400 && status !== pageStatus);
}

function judgeOpen(evidence: Evidence, found: Text, fix?: Text): Judgement {
  const [session] = findSessions(evidence);
  if (!session) return partial("no_session", found, fix);
  const name = cut(session.name, 60);
  return fail(
    {
      fr: `${found.fr} La page pose un cookie de session (${name}).`,
      en: `${found.en} The page sets a session cookie (${name}).`,
    },
    fix,
  );
}

export const cors: Rule = {
  id: "cors.credentials",
  title: {
    fr: "Accès depuis d'autres sites (CORS)",
    en: "Access from other sites (CORS)",
  },
  measures: {
    fr: "Quand une requête vient d'une autre origine, le serveur n'autorise ni cette origine, ni null, avec les cookies (credentials). L'erreur coûte moins de points si la page ne pose pas de cookie de session.",
    en: "When a request comes from another origin, the server allows neither that origin nor null with credentials. The fault costs fewer points on a page that sets no session cookie.",
  },
  why: {
    fr: "N'importe quel autre site peut lire cette page avec la session du visiteur.",
    en: "Any other site can read this page with the visitor's session.",
  },
  fix: {
    fr: "N'autorisez une origine que si elle figure dans votre liste d'origines connues, et envoyez Vary: Origin. Sinon, retirez Access-Control-Allow-Credentials.",
    en: "Allow an origin only if it is on your list of known origins, and send Vary: Origin. Otherwise, remove Access-Control-Allow-Credentials.",
  },
  standard: {
    name: "Fetch, CORS check",
    url: "https://fetch.spec.whatwg.org/#concept-cors-check",
  },
  capReason: {
    fr: "La page pose un cookie de session, et n'importe quel autre site peut lire la page avec cette session.",
    en: "The page sets a session cookie, and any other site can read the page with that session.",
  },
  parents: ownAnswer,
  judge(evidence) {
    const { status, headers, origin } = evidence.cors;
    const allowed = headerValues(headers, "access-control-allow-origin").join(", ");
    const credentials = headerValues(headers, "access-control-allow-credentials").join(", ");
    const ifOpen = judgeOpen(evidence, { fr: "", en: "" });
    if (status === null)
      return unknownAtWorst(ifOpen, {
        fr: "La requête d'une autre origine est restée sans réponse.",
        en: "The request from another origin got no response.",
      });
    const found = {
      fr: `Access-Control-Allow-Origin: ${cut(allowed, 120)} et Access-Control-Allow-Credentials: ${cut(credentials, 40) || "absent"}.`,
      en: `Access-Control-Allow-Origin: ${cut(allowed, 120)} and Access-Control-Allow-Credentials: ${cut(credentials, 40) || "missing"}.`,
    };
    const hasCredentials = credentials === "true";
    if (hasCredentials && allowed === "null") return judgeOpen(evidence, found, NULL_FIX);
    if (hasCredentials && allowed === origin) return judgeOpen(evidence, found);
    const unread = judgeUnread(evidence);
    if (unread) return unread;
    if (allowed !== "") return pass(found);
    if (isOfAnother(status, findAnswer(evidence)?.status))
      return unknownAtWorst(ifOpen, {
        fr: `La requête d'une autre origine a reçu le statut ${status}, et non la page.`,
        en: `The request from another origin got status ${status}, not the page.`,
      });
    return pass({ fr: "Aucune autre origine n'est autorisée.", en: "No other origin is allowed." });
  },
};
