import type { Leak, Evidence } from "../../evidence/evidence.ts";
import { DEBUG_HEADERS } from "../../evidence/debug-headers.ts";
import { findAnswer } from "../../evidence/accessors.ts";
import { judgeUnread } from "../facts/gatekeeper.ts";
import { type Judgement, type Rule, cut, fail, pass, unknown } from "../rule.ts";

function describeLeak(isOnPage: boolean, { signature, offset }: Leak): Judgement {
  const where = isOnPage
    ? { fr: "dans la page", en: "on the page" }
    : { fr: "dans la réponse à un chemin inconnu", en: "in the response to an unknown path" };
  const name = cut(signature, 120);
  return fail({
    fr: `Trouvé ${where.fr} : ${name} (caractère ${offset}).`,
    en: `Found ${where.en}: ${name} (character ${offset}).`,
  });
}

function findDebugHeader(evidence: Evidence): Judgement | undefined {
  const headers = [...(findAnswer(evidence)?.headers ?? []), ...evidence.notFound.headers];
  const [name = ""] = headers.find(([other]) => DEBUG_HEADERS.has(other)) ?? [];
  const product = DEBUG_HEADERS.get(name);
  return product === undefined
    ? undefined
    : fail({
        fr: `L'en-tête ${name} vient d'un outil de débogage ouvert à tous : ${product}.`,
        en: `The header ${name} comes from a debugging tool open to everyone: ${product}.`,
      });
}

export const leak: Rule = {
  id: "reach.leak",
  title: { fr: "Pages par défaut et traces de débogage", en: "Default pages and debugging output" },
  measures: {
    fr: "La page et la page 404, en-têtes compris, ne révèlent ni page par défaut du serveur, ni liste de fichiers, ni trace d'erreur, ni outil de développement ou de débogage.",
    en: "The page and the 404 page, including their headers, reveal no server default page, directory index, stack trace, development server or debugging tool.",
  },
  why: {
    fr: "Le site n'est pas vraiment déployé, ou révèle à tous son code et ses chemins.",
    en: "The site is not really deployed, or reveals its code and paths to everyone.",
  },
  fix: {
    fr: "Déployez la version de production et désactivez le mode de débogage (NODE_ENV=production, APP_DEBUG=false, DEBUG=False).",
    en: "Deploy the production build and turn off debug mode (NODE_ENV=production, APP_DEBUG=false, DEBUG=False).",
  },
  standard: { name: "CWE-209, CWE-548", url: "https://cwe.mitre.org/data/definitions/209.html" },
  capReason: {
    fr: "Le site affiche une page par défaut ou des traces de débogage.",
    en: "The site shows a default page or debugging output.",
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
        fr: "La page ne révèle ni page par défaut ni trace de débogage ; la requête vers un chemin inconnu est restée sans réponse.",
        en: "The page reveals no default page or debugging output; the request for an unknown path got no response.",
      });
    return pass({
      fr: "Ni page par défaut ni trace de débogage, dans la page comme dans la réponse à un chemin inconnu.",
      en: "No default page or debugging output, on the page or in the response to an unknown path.",
    });
  },
};
