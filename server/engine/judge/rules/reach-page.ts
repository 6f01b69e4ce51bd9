import type { Text } from "../../../base/language.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import type { Html } from "../../evidence/html.ts";
import { findWholeHtml, pageUrl, urlOf } from "../../evidence/page.ts";
import { isHomePath } from "../facts/places.ts";
import { type Judgement, type Rule, cut, fail, pass } from "../rule.ts";
import { findKind, splitSentences, splitTitle, type StandInKind } from "../facts/stand-in-words.ts";

/** In characters. A page that is little else has no more prose than this; an article or a product does. */
const MAX_PROSE = 400;
/** Including the text of the site's menus and footer. */
const MAX_TEXT = 2500;
const MAX_HEADINGS = 6;
const MAX_IMAGES = 8;
/** For a page that stands in for a whole site and therefore has little around it. */
const MAX_SITE_TEXT = 700;
const MAX_SITE_LINKS = 12;
/** For a text whose first sentences may say what it is, and for one that says hardly more. */
const MAX_BRIEF_TEXT = 400;
const MAX_SENTENCES = 3;
const MAX_TINY_TEXT = 120;
/** The least share of the page's text, where other headings say what the page is about. */
const MIN_SHARE = 1 / 3;
const PRICE = /[€$£]\s?\d|\d\s?(?:€|£|EUR\b|USD\b|CHF\b)/;

interface PageWords {
  title: string;
  text: string;
  headings: readonly string[];
  proseLength: number;
  headingCount: number;
}

/** Whether a script has yet to fill the page, so that its text says nothing. */
function isShell({ emptyRootId, scriptCount, textLength }: Html): boolean {
  return scriptCount > 0 && (emptyRootId !== null || textLength === 0);
}

function isLittle(html: Html, words: PageWords): boolean {
  return (
    words.proseLength <= MAX_PROSE &&
    html.textLength <= MAX_TEXT &&
    words.headingCount <= MAX_HEADINGS &&
    html.imageCount <= MAX_IMAGES
  );
}

/**
 * Whether the page has as little else on it as a site that is not open yet; an open shop or a programme may use the
 * same words.
 */
function isUnopened(html: Html, { text: start }: PageWords): boolean {
  return html.textLength <= MAX_SITE_TEXT && html.linkCount <= MAX_SITE_LINKS && !PRICE.test(start);
}

/** The phrases that name the page as a whole: the parts of its title, and its heading. */
function listNames({ title, headings, headingCount, proseLength }: PageWords): string[] {
  const isFirstAlone = headingCount > 2 || proseLength > MAX_TINY_TEXT;
  return [...splitTitle(title), ...headings.slice(0, isFirstAlone ? 1 : 2)];
}

/**
 * Kinds that a title or heading proves on any page. `unfinished` needs a site that is not open yet: of an open one it
 * may concern only a part.
 */
const OPEN_KINDS: readonly StandInKind[] = ["missing", "broken", "for_sale", "placeholder"];
const KINDS: readonly StandInKind[] = [...OPEN_KINDS, "unfinished"];

interface Match {
  kind: StandInKind;
  phrase: string;
}

function findMatch(phrases: readonly string[], kinds: readonly StandInKind[]): Match | undefined {
  return phrases
    .map((phrase) => ({ phrase: phrase.trim(), kind: findKind(phrase) }))
    .find((match): match is Match => match.kind !== undefined && kinds.includes(match.kind));
}

/** Whether the phrase is at least a third of a tiny page; otherwise it may concern only a part of it. */
function isMost(match: Match | undefined, { textLength }: Html): boolean {
  const share = (match?.phrase.length ?? 0) / textLength;
  return textLength <= MAX_TINY_TEXT && share >= MIN_SHARE;
}

/** The kind of page that stands in for the page asked for, with the phrase that says so. */
function findStandIn(html: Html, words: PageWords): Match | undefined {
  if (isShell(html) || !isLittle(html, words)) return undefined;
  const named = findMatch(listNames(words), isUnopened(html, words) ? KINDS : OPEN_KINDS);
  if (named || html.textLength > MAX_BRIEF_TEXT) return named;
  const sentences = splitSentences(words.text);
  const said = new Set(sentences.map(findKind).filter((kind) => kind !== undefined));
  if (said.size > 1) return undefined;
  const match = findMatch(sentences.slice(0, MAX_SENTENCES), KINDS);
  const isAll = words.headingCount === 0 || isMost(match, html);
  return match?.kind === "unfinished" && !isAll ? undefined : match;
}

const NAMES: Readonly<Record<StandInKind, Text>> = {
  missing: { fr: "une page introuvable", en: "a page that was not found" },
  broken: { fr: "une erreur du serveur", en: "a server error" },
  for_sale: { fr: "un domaine en vente ou expiré", en: "a domain that is for sale or has expired" },
  unfinished: { fr: "un site qui n'est pas ouvert", en: "a site that is not open" },
  placeholder: {
    fr: "une page d'attente du serveur ou de l'hébergeur",
    en: "a placeholder of the server or the host",
  },
};

const FIXES: Readonly<Record<StandInKind, Text>> = {
  missing: {
    fr: "Déployez la page à cette adresse, ou vérifiez l'adresse ; et répondez 404, pas 200, quand une page manque.",
    en: "Deploy the page at this address, or check the address; and answer 404, not 200, where a page is missing.",
  },
  broken: {
    fr: "Cherchez l'erreur dans le journal du serveur ; et répondez 500 ou 503, pas 200, quand la page échoue.",
    en: "Look for the error in the server's log; and answer 500 or 503, not 200, when the page fails.",
  },
  for_sale: {
    fr: "Renouvelez le domaine au besoin, et faites pointer son DNS vers votre hébergement plutôt que vers la page du bureau d'enregistrement.",
    en: "Renew the domain if need be, and point its DNS at your hosting instead of the registrar's page.",
  },
  unfinished: {
    fr: "Publiez le site, ou désactivez le mode « bientôt disponible » ou « maintenance » de l'outil qui le produit.",
    en: "Publish the site, or turn off the “coming soon” or maintenance mode of the tool that makes it.",
  },
  placeholder: {
    fr: "Déployez le site dans le dossier que sert l'hôte virtuel de ce nom (server_name et root dans nginx), ou rattachez le domaine au site chez l'hébergeur.",
    en: "Deploy the site to the folder that this name's virtual host serves (server_name and root in nginx), or connect the domain to the site at the host.",
  },
};

/** More text than a page has while it waits for the script that fills it. */
const MAX_WAITING_TEXT = 40;

/** Whether this address shows the same as any other path, with nothing that could tell them apart. */
function isAnyPath(evidence: Evidence, html: Html, words: PageWords): boolean {
  const { status, repeatsPage } = evidence.notFound;
  const page = pageUrl(evidence);
  const hasOwnScript = evidence.assets.some(
    ({ kind, url }) => (kind === "script" || kind === "module") && url.startsWith(page.origin),
  );
  return (
    repeatsPage === true &&
    status === 200 &&
    page.pathname !== "/" &&
    html.textLength > (html.scriptCount > 0 ? MAX_WAITING_TEXT : 0) &&
    !hasOwnScript &&
    !isShell(html) &&
    isLittle(html, words)
  );
}

/** The address where redirects led, if they lead any path there; with a masked value it may be another each time. */
function findCommonEnd({ url, page, notFound }: Evidence): string | undefined {
  const [from, end] = [page.hops.at(-2)?.url, page.hops.at(-1)?.url];
  if (from === undefined || end === undefined || isHomePath(urlOf(url).pathname)) return undefined;
  const isCommon = notFound.location === end && urlOf(notFound.url).origin === urlOf(from).origin;
  return isCommon && urlOf(from).pathname !== urlOf(end).pathname && !end.includes("***")
    ? end
    : undefined;
}

function judgeHtml(evidence: Evidence, html: Html): Judgement {
  const words = { ...html, title: html.title ?? "" };
  const found = findStandIn(html, words);
  if (found) {
    const name = NAMES[found.kind];
    const phrase = cut(found.phrase, 120);
    return fail(
      {
        fr: `La page dit « ${phrase} », et presque rien d'autre : c'est ${name.fr}.`,
        en: `The page says “${phrase}”, and hardly anything else: it is ${name.en}.`,
      },
      FIXES[found.kind],
    );
  }
  const end = findCommonEnd(evidence);
  if (end !== undefined) {
    const path = cut(urlOf(evidence.url).pathname, 100);
    return fail(
      {
        fr: `${path} est redirigé vers ${cut(end, 150)}, comme un chemin pris au hasard.`,
        en: `${path} is redirected to ${cut(end, 150)}, as a random path is.`,
      },
      FIXES.missing,
    );
  }
  if (isAnyPath(evidence, html, words)) {
    const path = cut(pageUrl(evidence).pathname, 100);
    return fail(
      {
        fr: `${path} montre les mêmes mots qu'un chemin pris au hasard, qui répond 200 lui aussi.`,
        en: `${path} shows the same words as a random path, which answers 200 too.`,
      },
      FIXES.missing,
    );
  }
  return pass({
    fr: "Ni page introuvable, ni domaine en vente, ni site en construction.",
    en: "Neither a missing page, nor a domain for sale, nor a site under construction.",
  });
}

export const standIn: Rule = {
  id: "reach.page",
  title: { fr: "La page, et non une autre à sa place", en: "The page, and nothing in its place" },
  measures: {
    fr: "Échoue une page qui ne dit guère plus que ceci : elle est introuvable, le domaine est en vente, le site est en construction, le serveur fonctionne ; de même celle qui montre ce que montre n'importe quel chemin, ou qui mène où il mène.",
    en: "A page fails when it says hardly more than that it was not found, that the domain is for sale, that the site is coming soon or that the server works; so does one that shows what any path shows, or leads where any path leads.",
  },
  matters: {
    fr: "Le statut 200 cache la panne : ni vos visiteurs ni vos outils de surveillance ne voient la page demandée.",
    en: "The status 200 hides the failure: neither visitors nor monitors get the page they asked for.",
  },
  fix: {
    fr: "Déployez la page à cette adresse, et répondez 404 quand une page manque.",
    en: "Deploy the page at this address, and answer 404 where a page is missing.",
  },
  standard: {
    name: "RFC 9110, 15.5.5",
    url: "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.5",
  },
  capReason: {
    fr: "Ce qui s'affiche n'est pas la page, mais une autre à sa place.",
    en: "What is shown is not the page, but another in its place.",
  },
  parents: ({ page }) => (page.body?.leak ? ["reach.leak", "reach.html"] : ["reach.html"]),
  judge(evidence) {
    const html = findWholeHtml(evidence);
    return html
      ? judgeHtml(evidence, html)
      : pass({
          fr: "La page est trop longue pour n'être qu'une page d'attente.",
          en: "The page is too long to be a mere placeholder.",
        });
  },
};
