import type { Evidence } from "../../evidence/evidence.ts";
import type { Form, Resource } from "../../evidence/html.ts";
import { urlOf, findWholeHtml } from "../../evidence/accessors.ts";
import { describeReferences, listInFiles } from "../facts/references.ts";
import { addLine, type Judgement, fail, type Rule, pageHtml, partial, pass } from "../rule.ts";
import { enforcedPolicies, governs } from "../facts/policy.ts";
import { UNREAD_HTML } from "./html-document.ts";

function formsOf(evidence: Evidence): readonly Form[] {
  return evidence.page.body?.html?.forms ?? [];
}

/** The forms that are sent over http. */
function findPlainForms(evidence: Evidence): Form[] {
  return formsOf(evidence).filter(({ url }) => urlOf(url).protocol === "http:");
}

/**
 * Whether the form sends a password in the URL. A form without a method is ignored if a script may send it: many have
 * a handler that the HTML does not show.
 */
function putsPasswordInUrl(
  { method, hasPassword, hasHandler }: Form,
  hasScripts: boolean,
): boolean {
  return hasPassword && !hasHandler && (method === "get" || (method === null && !hasScripts));
}

/**
 * The judgement of a page with a form that sends what is typed where others can read it; undefined without one.
 * @param plain the forms that are sent over http, upgrades taken into account
 */
function findExposedForm(evidence: Evidence, plain: readonly Form[]): Judgement | undefined {
  const hasScripts = (evidence.page.body?.html?.scriptCount ?? 0) > 0;
  const inUrl = formsOf(evidence).filter((form) => putsPasswordInUrl(form, hasScripts));
  if (inUrl.length > 0) {
    return fail(
      describeReferences(inUrl, {
        fr: "Mot de passe envoyé dans l'adresse (GET)",
        en: "Password sent in the address (GET)",
      }),
      {
        fr: 'Donnez method="post" au formulaire : une adresse reste dans l\'historique du navigateur et dans les journaux du serveur.',
        en: "Give the form method=\"post\": an address stays in the browser's history and in the server's logs.",
      },
    );
  }
  const posted = plain.filter(({ method, hasPassword }) => method === "post" || hasPassword);
  if (posted.length === 0) return undefined;
  return fail(
    describeReferences(posted, { fr: "Formulaire envoyé en http", en: "Form sent over http" }),
    { fr: "Envoyez le formulaire à une adresse https.", en: "Send the form to an https address." },
  );
}

/** Kinds that browsers only warn about, or upgrade to https by themselves (Mixed Content, 3.1); without its font, a text stays. */
const PASSIVE_KINDS = ["image", "media", "icon", "font"];

/** The position of what a file loads, which every policy of the page covers. */
const AFTER_ALL = Number.MAX_SAFE_INTEGER;

function isMixed({ url }: Resource): boolean {
  return urlOf(url).protocol === "http:";
}

export const mixedContent: Rule = {
  id: "asset.mixed",
  title: { fr: "Contenu mixte (http)", en: "Mixed content (http)" },
  measures: {
    fr: "La page https et le début de ses feuilles de style (512 Ko) ne chargent aucun fichier en http, aucun de ses formulaires n'envoie en http ce qui est saisi, et aucun mot de passe n'est envoyé dans l'adresse (GET) ; des images, des médias ou une recherche en http valent la moitié des points.",
    en: "The https page and the beginning of its style sheets (512 KB) load no file over http, none of its forms sends what is typed over http, and no password is sent in the address (GET); images, media or a search over http earn half the points.",
  },
  why: {
    fr: "Les navigateurs bloquent un fichier chargé en http, ou le demandent en https, ce qui peut échouer ; ce qu'un formulaire envoie en http ou dans l'adresse peut être lu par d'autres.",
    en: "Browsers block a file loaded over http, or request it over https, which may fail; what a form sends over http or in the address can be read by others.",
  },
  fix: addLine(
    {
      fr: "Écrivez https: dans ces URL ou, si leurs hôtes répondent en https, envoyez l'en-tête Content-Security-Policy.",
      en: "Write https: in these URLs or, if their hosts respond over https, send the Content-Security-Policy header.",
    },
    "Content-Security-Policy: upgrade-insecure-requests",
  ),
  standard: { name: "Mixed Content, 3", url: "https://www.w3.org/TR/mixed-content/#categories" },
  capReason: {
    fr: "La page charge en http un script, une feuille de style ou un cadre, que les navigateurs bloquent, ou un formulaire envoie ce qui est saisi là où d'autres peuvent le lire.",
    en: "The page loads a script, style sheet or frame over http, which browsers block, or a form sends what is typed where others can read it.",
  },
  parents: pageHtml,
  judge(evidence) {
    const upgrades = enforcedPolicies(evidence).filter(({ directives }) =>
      directives.has("upgrade-insecure-requests"),
    );
    const isUpgraded = (sent: Pick<Resource, "offset">): boolean =>
      upgrades.some((policy) => governs(policy, sent));
    const plain = findPlainForms(evidence).filter((form) => !isUpgraded(form));
    const exposed = findExposedForm(evidence, plain);
    if (exposed) return exposed;
    const inStyles = listInFiles(evidence, ({ plainUrls }) => plainUrls).map((found) => ({
      ...found,
      offset: AFTER_ALL,
    }));
    const called = [...(evidence.page.body?.html?.resources ?? []).filter(isMixed), ...inStyles];
    const mixed = called.filter((file) => !isUpgraded(file));
    if (called.length > 0 && mixed.length + plain.length === 0)
      return pass({
        fr: "upgrade-insecure-requests fait passer les requêtes http en https.",
        en: "upgrade-insecure-requests turns the http requests into https.",
      });
    const active = mixed.filter(({ kind }) => !PASSIVE_KINDS.includes(kind));
    if (active.length > 0)
      return fail(describeReferences(active, { fr: "Chargés en http", en: "Loaded over http" }));
    if (mixed.length + plain.length > 0)
      return partial(
        "passive",
        describeReferences([...mixed, ...plain], {
          fr: "Chargés ou envoyés en http",
          en: "Loaded or sent over http",
        }),
      );
    if (!findWholeHtml(evidence)) return UNREAD_HTML;
    return pass({
      fr: "Rien n'est chargé ni envoyé en http.",
      en: "Nothing is loaded or sent over http.",
    });
  },
};
