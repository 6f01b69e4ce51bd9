import type { Leak } from "../../evidence/body.ts";
import { DEBUG_HEADERS } from "../../evidence/debug-headers.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { findAnswer } from "../../evidence/page.ts";
import { judgeUnread } from "../facts/gatekeeper.ts";
import { type Judgement, type Rule, cut, fail, pass, unknown } from "../rule.ts";

function describeLeak(isOnPage: boolean, { signature, offset }: Leak): Judgement {
  const where = isOnPage
    ? { fr: "dans la page", en: "on the page" }
    : { fr: "dans la réponse à un chemin inconnu", en: "in the answer to an unknown path" };
  const name = cut(signature, 120);
  return fail({
    fr: `Reconnu ${where.fr} : ${name} (caractère ${offset}).`,
    en: `Recognised ${where.en}: ${name} (character ${offset}).`,
  });
}

/** A header of an open debugger, on the page or on the answer to an unknown path. */
function findDebugHeader(evidence: Evidence): Judgement | undefined {
  const headers = [...(findAnswer(evidence)?.headers ?? []), ...evidence.notFound.headers];
  const [name = ""] = headers.find(([other]) => DEBUG_HEADERS.has(other)) ?? [];
  const product = DEBUG_HEADERS.get(name);
  return product === undefined
    ? undefined
    : fail({
        fr: `L'en-tête ${name} vient d'un outil de débogage ouvert à tous : ${product}.`,
        en: `The header ${name} comes from a debugging tool that is open to everyone: ${product}.`,
      });
}

export const leak: Rule = {
  id: "reach.leak",
  title: { fr: "Ni page par défaut, ni trace de débogage", en: "No default page, no debug trace" },
  measures: {
    fr: "La page et la page 404 ne montrent ni page par défaut du serveur, ni liste de fichiers, ni trace d'erreur, ni outil de développement ou de débogage, même dans leurs en-têtes.",
    en: "The page and the 404 page show no server default page, directory index, stack trace, development server or debugging tool, in their headers either.",
  },
  matters: {
    fr: "Le site n'est pas vraiment déployé, ou il montre son code et ses chemins à tous.",
    en: "The site is not really deployed, or shows its code and paths to everyone.",
  },
  fix: {
    fr: "Déployez la version de production et coupez le mode de débogage (NODE_ENV=production, APP_DEBUG=false, DEBUG=False).",
    en: "Deploy the production build and turn debug mode off (NODE_ENV=production, APP_DEBUG=false, DEBUG=False).",
  },
  standard: { name: "CWE-209, CWE-548", url: "https://cwe.mitre.org/data/definitions/209.html" },
  capReason: {
    fr: "Le site montre une page par défaut ou ses entrailles de débogage.",
    en: "The site shows a default page or its debug internals.",
  },
  parents: ({ notFound }) => (notFound.leak ? ["reach.dns"] : ["reach.connect", "redir.chain"]),
  judge(evidence) {
    const unread = judgeUnread(evidence);
    const { body } = evidence.page;
    const own = unread ? null : (body?.leak ?? null);
    const found = own ?? evidence.notFound.leak;
    if (found) return describeLeak(own !== null, found);
    const opened = findDebugHeader(evidence);
    if (opened) return opened;
    if (unread) return unread;
    if (body?.state === "unsupported" || body?.state === "undecodable")
      return unknown({ fr: "La page n'a pas pu être lue.", en: "The page could not be read." });
    if (evidence.notFound.status === null)
      return unknown({
        fr: "Rien de tel dans la page, mais la requête vers un chemin inconnu n'a pas eu de réponse.",
        en: "Nothing of the kind on the page, but the request for an unknown path got no answer.",
      });
    return pass({
      fr: "Rien de tel, ni dans la page ni dans la réponse à un chemin inconnu.",
      en: "Nothing of the kind, either on the page or in the answer to an unknown path.",
    });
  },
};
