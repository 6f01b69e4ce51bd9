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
import { isFontSheet } from "../../../base/syntax/font-hosts.ts";
import { findNeeds } from "../facts/needed-files.ts";
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

/** An offset after every policy of the page, because all policies apply to what a style sheet loads. */
const AFTER_ALL = Number.MAX_SAFE_INTEGER;

function isMixed({ url }: Resource): boolean {
  return urlOf(url).protocol === "http:";
}

/** The test of `asset.broken`, and scripts that another copy replaces. Text is readable without its font. */
function findNeedOfMixed(evidence: Evidence): (file: MixedFile) => boolean {
  const isNeeded = findNeeds(evidence);
  const replaced = evidence.page.body?.html?.replacedScripts ?? [];
  const requested = new Map(evidence.assets.map(({ url, kind }) => [url, kind]));
  return ({ url, kind, tag, offset }) => {
    if (replaced.includes(offset) || isFontSheet(urlOf(url))) return false;
    return tag === "frame" || isNeeded({ url, kind: requested.get(url) ?? kind });
  };
}

type MixedFile = Pick<Resource, "url" | "kind" | "tag" | "offset">;

/** Calls in files may never be made. */
function listCalls(evidence: Evidence) {
  const inline = evidence.page.body?.html?.plainCalls ?? [];
  const inFiles = listInFiles(evidence, ({ plainCalls }) => plainCalls);
  return [
    ...inline.map((call) => ({ ...call, tag: "script" })),
    ...inFiles.map((call) => ({ ...call, isAtTop: false })),
  ];
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
    fr: "La page https et le début de ses feuilles de style (512 Kio) ne chargent aucun fichier en http. Aucun formulaire n'envoie la saisie en http, et aucun mot de passe n'est envoyé dans l'URL (GET). La règle rapporte la moitié des points s'il n'y a en http que des images, des médias, une recherche, ou des fichiers dont la page peut se passer : polices, statistiques, widgets, scripts avec une copie de secours. Il en va de même pour les requêtes que ses scripts envoient d'emblée en http (fetch, XMLHttpRequest, WebSocket).",
    en: "The https page and the beginning of its style sheets (512 KiB) load no file over http. No form sends its input over http, and no password is sent in the URL (GET). The rule earns half the points if only these are over http: images, media, a search, or files that the page can do without, such as fonts, analytics, widgets and scripts with a fallback copy. The same holds for requests that its scripts send right away over http (fetch, XMLHttpRequest, WebSocket).",
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
    fr: "Les navigateurs bloquent un script, une feuille de style ou une iframe dont la page a besoin, ou d'autres peuvent lire ce qu'un formulaire envoie.",
    en: "Browsers block a script, style sheet or frame that the page needs, or others can read what a form sends.",
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
    if (called.length > 0 && mixed.length + plain.length === 0 && isUpgraded({ offset: AFTER_ALL }))
      return pass({
        fr: "upgrade-insecure-requests fait passer les requêtes http en https.",
        en: "upgrade-insecure-requests turns the http requests into https requests.",
      });
    const needed = mixed.filter(findNeedOfMixed(evidence));
    if (needed.length > 0)
      return fail(
        describeReferences(needed, { fr: "Chargés en http", en: "Loaded over http" }),
        fixInMeta(evidence),
      );
    const isAllUpgraded = isUpgraded({ offset: AFTER_ALL });
    const calls = isAllUpgraded ? [] : listCalls(evidence);
    const sent = calls.filter(({ isAtTop }) => isAtTop);
    const lesser = [...mixed, ...plain, ...sent];
    if (lesser.length > 0)
      return partial(
        "passive",
        describeReferences(lesser, {
          fr: "Chargés ou envoyés en http",
          en: "Loaded or sent over http",
        }),
        fixInMeta(evidence),
      );
    if (!findWholeHtml(evidence)) return UNREAD_HTML;
    const nothing = {
      fr: "Rien n'est chargé ni envoyé en http.",
      en: "Nothing is loaded or sent over http.",
    };
    if (calls.length === 0) return pass(nothing);
    const note = describeReferences(calls, {
      fr: "Requêtes que des scripts peuvent envoyer en http, et que les navigateurs bloqueraient",
      en: "Requests that scripts may send over http, and that browsers would block",
    });
    return pass({ fr: `${nothing.fr} ${note.fr}`, en: `${nothing.en} ${note.en}` });
  },
};
