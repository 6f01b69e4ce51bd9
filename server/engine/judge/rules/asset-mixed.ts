import type { Evidence } from "../../evidence/evidence.ts";
import type { Form, Resource } from "../../evidence/html.ts";
import { urlOf, findWholeHtml } from "../../evidence/accessors.ts";
import { describeReferences, listInFiles } from "../facts/references.ts";
import { addMeta } from "../facts/policy-fixes.ts";
import { findHeaderlessHost } from "../facts/platforms.ts";
import {
  addLine,
  type Fix,
  type Judgement,
  fail,
  type Rule,
  pageHtml,
  partial,
  pass,
} from "../rule.ts";
import { enforcedPolicies, governs } from "../facts/policy.ts";
import { UNREAD_HTML } from "./html-document.ts";

function formsOf(evidence: Evidence): readonly Form[] {
  return evidence.page.body?.html?.forms ?? [];
}

function findPlainForms(evidence: Evidence): Form[] {
  return formsOf(evidence).filter(({ url }) => urlOf(url).protocol === "http:");
}

/**
 * Ignores a form without a method if the page has scripts, because many handle their forms without any sign in the
 * HTML.
 */
function putsPasswordInUrl(
  { method, hasPassword, hasHandler }: Form,
  hasScripts: boolean,
): boolean {
  return hasPassword && !hasHandler && (method === "get" || (method === null && !hasScripts));
}

/** @param plain the forms that are still sent over http after upgrades */
function findExposedForm(evidence: Evidence, plain: readonly Form[]): Judgement | undefined {
  const hasScripts = (evidence.page.body?.html?.scriptCount ?? 0) > 0;
  const inUrl = formsOf(evidence).filter((form) => putsPasswordInUrl(form, hasScripts));
  if (inUrl.length > 0) {
    return fail(
      describeReferences(inUrl, {
        fr: "Mot de passe envoyé dans l'URL (GET)",
        en: "Password sent in the URL (GET)",
      }),
      {
        fr: 'Ajoutez method="post" au formulaire : une URL reste dans l\'historique du navigateur et dans les journaux du serveur.',
        en: "Add method=\"post\" to the form: a URL stays in the browser's history and in the server's logs.",
      },
    );
  }
  const posted = plain.filter(({ method, hasPassword }) => method === "post" || hasPassword);
  if (posted.length === 0) return undefined;
  return fail(
    describeReferences(posted, { fr: "Formulaire envoyé en http", en: "Form sent over http" }),
    { fr: "Envoyez le formulaire à une URL https.", en: "Send the form to an https URL." },
  );
}

/**
 * Browsers only warn about files of these kinds, or upgrade them to https (Mixed Content, 3.1). Text is readable
 * without its font.
 */
const PASSIVE_KINDS = ["image", "media", "icon", "font"];

/** An offset after every policy of the page, because all policies apply to what a style sheet loads. */
const AFTER_ALL = Number.MAX_SAFE_INTEGER;

function isMixed({ url }: Resource): boolean {
  return urlOf(url).protocol === "http:";
}

const UPGRADE = "upgrade-insecure-requests";

/** Returns undefined where the site can send headers. */
function fixInMeta(evidence: Evidence): Fix | undefined {
  if (findHeaderlessHost(evidence) === undefined) return undefined;
  return addMeta(
    {
      fr: "Écrivez https: dans ces URL ou, si leurs hôtes répondent en https, faites-les passer en https par une politique.",
      en: "Write https: in these URLs or, if their hosts respond over https, upgrade them by a policy.",
    },
    UPGRADE,
    evidence,
  );
}

export const mixedContent: Rule = {
  id: "asset.mixed",
  title: { fr: "Contenu mixte (http)", en: "Mixed content (http)" },
  measures: {
    fr: "La page https et le début de ses feuilles de style (512 Kio) ne chargent aucun fichier en http. Aucun formulaire n'envoie la saisie en http, et aucun mot de passe n'est envoyé dans l'URL (GET). S'il n'y a en http que des images, des médias ou une recherche, la règle rapporte la moitié des points.",
    en: "The https page and the beginning of its style sheets (512 KiB) load no file over http. No form sends its input over http, and no password is sent in the URL (GET). Images, media or a search over http earn half the points.",
  },
  why: {
    fr: "Les navigateurs bloquent un fichier chargé en http, ou le récupèrent en https, ce qui peut échouer. Ce qu'un formulaire envoie en http ou dans l'URL peut être lu par d'autres.",
    en: "Browsers block a file loaded over http, or request it over https, and that request may fail. Others can read what a form sends over http or in the URL.",
  },
  fix: addLine(
    {
      fr: "Écrivez https: dans ces URL ou, si leurs hôtes répondent en https, envoyez l'en-tête Content-Security-Policy.",
      en: "Write https: in these URLs or, if their hosts respond over https, send the Content-Security-Policy header.",
    },
    `Content-Security-Policy: ${UPGRADE}`,
  ),
  standard: { name: "Mixed Content, 3", url: "https://www.w3.org/TR/mixed-content/#categories" },
  capReason: {
    fr: "La page charge en http un script, une feuille de style ou une iframe, que les navigateurs bloquent, ou un formulaire envoie la saisie là où d'autres peuvent la lire.",
    en: "Over http, the page loads a script, style sheet or frame that browsers block, or a form sends its input where others can read it.",
  },
  parents: pageHtml,
  judge(evidence) {
    const upgrades = enforcedPolicies(evidence).filter(({ directives }) => directives.has(UPGRADE));
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
        en: "upgrade-insecure-requests turns the http requests into https requests.",
      });
    const active = mixed.filter(({ kind }) => !PASSIVE_KINDS.includes(kind));
    if (active.length > 0)
      return fail(
        describeReferences(active, { fr: "Chargés en http", en: "Loaded over http" }),
        fixInMeta(evidence),
      );
    if (mixed.length + plain.length > 0)
      return partial(
        "passive",
        describeReferences([...mixed, ...plain], {
          fr: "Chargés ou envoyés en http",
          en: "Loaded or sent over http",
        }),
        fixInMeta(evidence),
      );
    if (!findWholeHtml(evidence)) return UNREAD_HTML;
    return pass({
      fr: "Rien n'est chargé ni envoyé en http.",
      en: "Nothing is loaded or sent over http.",
    });
  },
};
