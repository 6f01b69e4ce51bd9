import type { Language, Text } from "../../../../shared/language.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import type { Html } from "../../evidence/html.ts";
import { pageMetas } from "../facts/metas.ts";
import { findKeyForm } from "../../evidence/translation-key.ts";
import { findWholeHtml, headerValues, pageUrl, urlOf } from "../../evidence/accessors.ts";
import { nameOthers } from "../facts/references.ts";
import { findKnown } from "../facts/stand-ins.ts";
import { type Rule, cut, fail, pageHtml, pass, wcag } from "../rule.ts";
import { UNREAD_HTML } from "./html-document.ts";

/** Template marks that a build or a server should have replaced. */
const MARK =
  /^(?:\{\{[\w.$|\s[\]'"()-]+\}\}|\{%[^%]*%\}|\$\{[\w.$\s[\]'"()]+\}|<%[^%]*%>|%[A-Z][A-Z0-9]*_[A-Z0-9_]+%|%sveltekit\.\w+%|\[object [A-Z]\w*\])$/;
const NO_VALUE = /^(?:undefined|NaN|null)(?:\s+(?:undefined|NaN|null))*$/;
const NO_VALUE_WITHIN =
  /^(?:(?:welcome(?: back)?|hello|hi|hey|dear|bonjour|salut|bienvenue|chère?|hallo|hola)[ ,]{1,2}(?:undefined|\[object Object\])[ !.,]*|(?:[\p{L} ]{1,20}:\s?)?(?:[€$£¥]\s?(?:undefined|NaN)|(?:undefined|NaN)\s?[€$£¥%]|\[object Object\]))$/iu;
const NO_DATE = /^(?:[\p{L} ]{1,20}:?\s)?Invalid Date$/u;
/** Default texts of themes. Forms may ask for the same information, but in other words. */
const THEME_TEXT =
  /^(?:your company name(?: here)?|your (?:company|brand|tagline|text) here|(?:add|insert|type) (?:your )?text here|\[(?:your|company|site) name\]|(?:copyright )?(?:©|\(c\))? ?(?:\d{4} )?your company(?: name)?[,.]? (?:inc\.? )?all rights reserved\.?)$/i;
const TEXT_TAGS = ["p", "h1", "h2", "h3", "figcaption"];
const FILLER = /\blorem ipsum dolor\b/i;
const FILLER_TITLE = /^lorem ipsum dolor\b/i;
/** A script in the browser may replace these marks. */
const FILLED_LATER = /^(?:\{\{|\$\{)/;
const SEPARATOR = /\s[|\u2013\u2014\u00b7\u2022\u00bb:-]+\s|[|\u2013\u2014\u00b7\u2022\u00bb]/;
/** In these elements, a word such as `undefined` alone is a missing value. Elsewhere the page may explain the word. */
const BARE_TAGS = ["h1", "p", "button", "label"];

interface Placeholder {
  readonly shown: string;
  readonly where: Text;
}

/** Does not split inside braces. */
function partsOf(words: string): string[] {
  const parts = words.replace(/\{\{[^{}]*\}\}/g, "{{mark}}").split(SEPARATOR);
  return parts.map((part) => part.trim());
}

function isLeft(words: string, isSubject: boolean): boolean {
  const parts = partsOf(words);
  const isMark = (part: string) => MARK.test(part) || findKeyForm(part) === "long";
  return parts.some((part) => isMark(part) || (!isSubject && NO_VALUE.test(part)));
}

function isAboutIt({ pathname }: URL): boolean {
  return /undefined|\bnan\b|\bnull\b|lorem/i.test(pathname);
}

const TITLE = { fr: "titre", en: "title" };

function findInHead(evidence: Evidence, html: Html): Placeholder[] {
  const isSubject = isAboutIt(pageUrl(evidence));
  const titles = [
    { shown: html.title ?? "", where: TITLE },
    ...contentsOf(evidence, "og:title"),
  ].filter(({ shown }) => isLeft(shown, isSubject) || FILLER_TITLE.test(shown));
  const descriptions = ["description", "og:description"]
    .flatMap((name) => contentsOf(evidence, name))
    .filter(({ shown }) => isLeft(shown, isSubject) || (!isSubject && FILLER.test(shown)));
  return [...titles, ...descriptions];
}

function contentsOf(evidence: Evidence, name: string): Placeholder[] {
  return pageMetas(evidence, name).map(({ content }) => ({
    shown: content.trim(),
    where: { fr: name, en: name },
  }));
}

const ESCAPES = /%(?:20|3C|3E|5B|5D|7B|7D)/gi;
/** Marks that no URL contains by chance. */
const URL_MARK =
  /%(?:PUBLIC_URL|BASE_URL|(?:VITE|REACT_APP|NEXT_PUBLIC)_[A-Z0-9_]+|sveltekit\.\w+)%|<%[^%]*%+>|\{%[^%]*%\}|\[object [A-Z]\w*\]/;
const FILLED_URL_MARK = /\{\{[^{}]*\}\}|\$\{[^{}]*\}/;

function isMarkedUrl(url: string, isFilledLater: boolean): boolean {
  const words = url.replace(ESCAPES, (escape) => decodeURIComponent(escape));
  return URL_MARK.test(words) || (!isFilledLater && FILLED_URL_MARK.test(words));
}

function findInUrls({ resources, links, scriptCount }: Html): Placeholder[] {
  const isFilledLater = scriptCount > 0;
  const found = [
    ...resources.map((one) => ({
      ...one,
      isVoid: /\/undefined(?:[/.]|$)/.test(urlOf(one.url).pathname),
    })),
    ...links.map((one) => ({
      ...one,
      tag: "a",
      isVoid: /^\/undefined(?:\/|$)/.test(urlOf(one.url).pathname),
    })),
  ].filter(({ url, isVoid }) => isVoid || isMarkedUrl(url, isFilledLater));
  return found.map(({ url, tag, line }) => placed(url, tag, line));
}

function placed(shown: string, tag: string, line: number): Placeholder {
  return { shown, where: { fr: `<${tag}>, ligne ${line}`, en: `<${tag}>, line ${line}` } };
}

function isShown(words: string, tag: string, html: Html, isSubject: boolean): boolean {
  if (FILLED_LATER.test(words) && html.scriptCount > 0) return false;
  if (NO_VALUE.test(words)) return !isSubject && BARE_TAGS.includes(tag);
  if (FILLER.test(words)) return !isSubject && !/lorem/i.test(html.title ?? "");
  if (NO_DATE.test(words)) return tag === "p" && !/invalid date/i.test(html.title ?? "");
  if (THEME_TEXT.test(words)) return TEXT_TAGS.includes(tag);
  return MARK.test(words) || (!isSubject && NO_VALUE_WITHIN.test(words));
}

function findInText(evidence: Evidence, html: Html): Placeholder[] {
  const isSubject = isAboutIt(pageUrl(evidence));
  return html.templateTexts
    .filter(({ text: words, tag }) => isShown(words, tag, html, isSubject))
    .map(({ text: words, tag, line }) => placed(words, tag, line));
}

/** On reference pages, these headings name the keys that the page explains. */
const SUBHEADINGS = ["h2", "h3", "h4", "h5", "h6"];
const ABOUT_KEYS = /i18n|l10n|\bintl\b|transla|traduc|locali[sz]/i;

/**
 * Requires one long key or two short ones. Ignores keys that are headings, and links to them, because a reference page
 * lists keys.
 */
function findKeys(evidence: Evidence, { templateTexts, title }: Html): Placeholder[] {
  if (ABOUT_KEYS.test(`${pageUrl(evidence).pathname} ${title}`)) return [];
  const keys = templateTexts.filter(({ text: words }) => findKeyForm(words) !== undefined);
  const named = keys.filter(({ tag }) => SUBHEADINGS.includes(tag));
  const own = keys.filter(({ text: words }) => !named.some((one) => one.text === words));
  const isLong = own.some(({ text: words }) => findKeyForm(words) === "long");
  const isSure = isLong || new Set(own.map(({ text: words }) => words)).size > 1;
  return isSure ? keys.map(({ text: words, tag, line }) => placed(words, tag, line)) : [];
}

/** One such link may open something by script. Several are a template's. */
const MIN_IDLE_NETWORKS = 2;

function findIdleNetworks({ idleNetworks }: Html): Placeholder[] {
  const networks = new Set(idleNetworks.map(({ network }) => network));
  if (networks.size < MIN_IDLE_NETWORKS) return [];
  return idleNetworks.map(({ network, line }) => placed(`${network} → #`, "a", line));
}

/** Undefined for a compressed file, whose size says nothing of its content. */
function sizeOf({ assets }: Evidence, url: string): number | undefined {
  const { headers = [], status } = assets.find((asset) => asset.url === url) ?? {};
  const isPlain = headerValues(headers, "content-encoding").length === 0;
  const [length = ""] = headerValues(headers, "content-length");
  return status === 200 && isPlain && /^\d{1,9}$/.test(length) ? Number(length) : undefined;
}

function findIcons(evidence: Evidence, { resources }: Html): Placeholder[] {
  const icons = resources.filter(({ kind }) => kind === "icon");
  return icons
    .filter(({ url }) => findKnown("icon", urlOf(url).pathname, sizeOf(evidence, url)))
    .map(({ url, line }) => placed(urlOf(url).pathname, "link", line));
}

const LINKS_FIX = {
  fr: "Indiquez l'URL de votre profil dans ces liens, ou retirez-les.",
  en: "Enter the URL of your profile in these links, or remove them.",
};
const ICON_FIX = {
  fr: "Remplacez l'icône du modèle de projet par celle du site.",
  en: "Replace the project template's icon with the site's own.",
};
const KEYS_FIX = {
  fr: "Ajoutez la traduction de ces clés pour la langue de la page, et vérifiez que ses fichiers de traduction sont déployés.",
  en: "Add the translation of these keys for the page's language, and check that its translation files are deployed.",
};
const FILLER_FIX = {
  fr: "Remplacez ce texte de remplissage par le vrai texte de la page.",
  en: "Replace this filler text with the page's own text.",
};
const SHOWN = 3;

function describe(found: readonly Placeholder[]): Text {
  const list = (language: Language): string =>
    found
      .slice(0, SHOWN)
      .map(({ shown, where }) => `${cut(shown, 80)} (${where[language]})`)
      .join(", ");
  const more = nameOthers(found.length - SHOWN);
  return {
    fr: `Contenu provisoire : ${list("fr")}${more.fr}.`,
    en: `Placeholder content: ${list("en")}${more.en}.`,
  };
}

export const placeholders: Rule = {
  id: "html.placeholder",
  title: { fr: "Contenu provisoire", en: "Placeholder content" },
  measures: {
    fr: "Le titre, la description, les URL et les textes courts (titres, paragraphes, boutons) ne contiennent aucune variable non remplacée (%PUBLIC_URL%, {{title}}, ${name}). Ils ne contiennent pas undefined, NaN, Invalid Date ou [object Object] à la place d'une valeur. Aucun texte n'est du lorem ipsum, un texte de modèle (« Your tagline here ») ou une clé de traduction (home.hero.title). Aucune icône n'est celle d'un modèle de projet, et les liens vers les réseaux sociaux ne mènent pas à #. Un texte qu'un script de la page peut encore remplir ne compte que dans le titre et la description.",
    en: "The title, the description, the URLs and short texts (headings, paragraphs, buttons) contain no unreplaced variable (%PUBLIC_URL%, {{title}}, ${name}). They have no undefined, NaN, Invalid Date or [object Object] in place of a value. No text is lorem ipsum, a template's (“Your tagline here”) or a translation key (home.hero.title). No icon is a project template's, and links to social networks do not lead to #. Text that a script of the page may still fill in counts only in the title and the description.",
  },
  why: {
    fr: "Il apparaît aux visiteurs, aux moteurs de recherche et dans les aperçus de liens à la place du contenu du site.",
    en: "It appears to visitors, to search engines and in link previews in place of the site's own content.",
  },
  fix: {
    fr: "Déployez le résultat de la compilation, et définissez la variable qui n'a pas de valeur.",
    en: "Deploy the output of the build, and set a value for the variable.",
  },
  standard: wcag("2.4.2", "page-titled"),
  parents: pageHtml,
  judge(evidence) {
    const html = evidence.page.body?.html;
    if (!html) return UNREAD_HTML;
    const links = findIdleNetworks(html);
    const icons = findIcons(evidence, html);
    const found = [
      ...findInHead(evidence, html),
      ...findInUrls(html),
      ...findInText(evidence, html),
      ...findKeys(evidence, html),
      ...links,
      ...icons,
    ];
    if (found.length > 0) {
      const isKey = found.every(({ shown }) => findKeyForm(shown) !== undefined);
      const isFiller = found.every(({ shown }) => FILLER.test(shown));
      if (isKey) return fail(describe(found), KEYS_FIX);
      if (found.length === icons.length) return fail(describe(found), ICON_FIX);
      if (found.length === links.length + icons.length) return fail(describe(found), LINKS_FIX);
      return fail(describe(found), isFiller ? FILLER_FIX : undefined);
    }
    if (!findWholeHtml(evidence)) return UNREAD_HTML;
    return pass({ fr: "Aucun contenu provisoire.", en: "No placeholder content." });
  },
};
