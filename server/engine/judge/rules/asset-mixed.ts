import type { Form, Resource } from "../../evidence/html.ts";
import { findWholeHtml, urlOf } from "../../evidence/page.ts";
import { findExposedForm, findPlainForms } from "../facts/forms.ts";
import { enforcedPolicies, governs } from "../facts/policy.ts";
import { describeReferences } from "../facts/references.ts";
import { type Rule, fail, pageHtml, partial, pass, withLine } from "../rule.ts";
import { UNREAD_HTML } from "./html-document.ts";

/** Kinds that browsers only warn about, or upgrade to https by themselves (Mixed Content, 3.1). */
const PASSIVE_KINDS = ["image", "media", "icon"];

function isMixed({ url }: Resource): boolean {
  return urlOf(url).protocol === "http:";
}

export const mixedContent: Rule = {
  id: "asset.mixed",
  title: { fr: "Aucun contenu mixte", en: "No mixed content" },
  measures: {
    fr: "Aucun fichier de la page https n'est appelé en http, aucun formulaire n'envoie en http ce qu'on y saisit, et aucun mot de passe ne part dans l'adresse (GET) ; des images, des médias ou une recherche en http valent la moitié.",
    en: "The https page loads no file over http, none of its forms sends what is typed over http, and no password is sent in the address (GET); images, media or a search over http are worth half.",
  },
  matters: {
    fr: "Les navigateurs bloquent un fichier appelé en http, ou le demandent en https, qui peut ne pas répondre ; ce qu'un formulaire envoie en http ou dans l'adresse, d'autres peuvent le lire.",
    en: "Browsers block a file loaded over http, or upgrade it to https, which may not answer; what a form sends over http or in the address can be read by others.",
  },
  fix: withLine(
    {
      fr: "Mettez https: dans ces adresses ou, si leur hôte le permet, envoyez : Content-Security-Policy: upgrade-insecure-requests",
      en: "Put https: in these addresses or, where their host allows it, send: Content-Security-Policy: upgrade-insecure-requests",
    },
    "Content-Security-Policy: upgrade-insecure-requests",
  ),
  standard: { name: "Mixed Content, 3", url: "https://www.w3.org/TR/mixed-content/#categories" },
  capReason: {
    fr: "La page appelle un script, un style ou un cadre en http, que les navigateurs bloquent, ou un formulaire envoie ce qu'on y saisit là où d'autres peuvent le lire.",
    en: "The page loads a script, style or frame over http, which browsers block, or a form sends what is typed where others can read it.",
  },
  parents: pageHtml,
  judge(evidence) {
    const upgrades = enforcedPolicies(evidence).filter(({ directives }) =>
      directives.has("upgrade-insecure-requests"),
    );
    const isUpgraded = (sent: Resource | Form): boolean =>
      upgrades.some((policy) => governs(policy, sent));
    const plain = findPlainForms(evidence).filter((form) => !isUpgraded(form));
    const exposed = findExposedForm(evidence, plain);
    if (exposed) return exposed;
    const called = (evidence.page.body?.html?.resources ?? []).filter(isMixed);
    const mixed = called.filter((file) => !isUpgraded(file));
    if (called.length > 0 && mixed.length + plain.length === 0)
      return pass({
        fr: "Les appels en http passent en https par upgrade-insecure-requests.",
        en: "The http requests move to https through upgrade-insecure-requests.",
      });
    const active = mixed.filter(({ kind }) => !PASSIVE_KINDS.includes(kind));
    if (active.length > 0) return fail(describeReferences(active));
    if (mixed.length + plain.length > 0)
      return partial("passive", describeReferences([...mixed, ...plain]));
    if (!findWholeHtml(evidence)) return UNREAD_HTML;
    return pass({
      fr: "Rien n'est chargé ni envoyé en http.",
      en: "Nothing is loaded or sent over http.",
    });
  },
};
