import type { Evidence } from "../../evidence/evidence.ts";
import type { Html } from "../../evidence/html.ts";
import { urlOf } from "../../evidence/accessors.ts";
import { findKind, splitSentences, splitTitle } from "./stand-in-words.ts";
import { findKnown, foldWords, nameOfHost, squeezeWords, type StandInKind } from "./stand-ins.ts";

/** In characters. A page with little content has at most this much prose. An article or a product page has more. */
const MAX_PROSE = 400;
/** In characters, including the site's menus and footer. */
const MAX_TEXT = 2500;
const MAX_HEADINGS = 6;
const MAX_IMAGES = 8;
/** Limits of a page that replaces a whole site and therefore has little around it. */
const MAX_SITE_TEXT = 700;
const MAX_SITE_LINKS = 12;
/** In a brief text, the first sentences may say what the page is. A tiny text contains hardly more than one phrase. */
const MAX_BRIEF_TEXT = 400;
const MAX_SENTENCES = 3;
const MAX_TINY_TEXT = 120;
/** A phrase with a smaller share of the text may concern only a part of the page. */
const MIN_SHARE = 1 / 3;
/** A product's default page may have more prose. Its phrase must be in a heading or make up this share of the prose. */
const MAX_PRODUCT_PROSE = 1500;
const MIN_PRODUCT_SHARE = 1 / 8;
/**
 * Matches words before the phrase, other than an error number. They mean that the page is about the phrase: “How to fix
 * …”.
 */
const ABOUT = /^(?!(?:error|erreur)? ?\d{3}\b\W*$).{6}/;

/** Signs of real content: prices, a telephone number, dates and times, a list that is not a menu. */
const PRICE = /[€$£¥]\s?\d|\d\s?(?:€|£|zł|kr\b|EUR\b|USD\b|CHF\b)/;
const PHONE = /(?:\+\d|\b0\d)(?:[ ()./-]{0,2}\d){7,12}/;
const MONTH =
  "(?:jan|feb|fev|mar|apr|avr|abr|may|mai|mag|mei|maj|jun|jui|giu|jul|lug|aug|aou|ago|sep|set|oct|okt|ott|out|nov|dec|dez|dic)";
const DATE = new RegExp(
  String.raw`\b\d{1,2}[:h]\d{2}\b|\b\d{1,4}[./-]\d{1,2}[./-]\d{2,4}\b|\b\d{1,2}(?:st|nd|rd|th|er)?\.? (?:de |of )?${MONTH}|\b${MONTH}[a-z]{0,8} \d{1,2}\b`,
  "g",
);
const MIN_DATES = 2;
const MIN_LINES = 8;
const MIN_LINE_LENGTH = 8;

interface PageWords {
  title: string;
  text: string;
  headings: readonly string[];
  proseLength: number;
  headingCount: number;
}

export function isShell({ emptyRootId, scriptCount, textLength }: Html): boolean {
  return scriptCount > 0 && (emptyRootId !== null || textLength === 0);
}

export function isLittle(html: Html): boolean {
  return (
    html.proseLength <= MAX_PROSE &&
    html.textLength <= MAX_TEXT &&
    html.headingCount <= MAX_HEADINGS &&
    html.imageCount <= MAX_IMAGES
  );
}

/** Excludes open shops, which may use the same words as a site that is not open yet. */
function isUnopened(html: Html): boolean {
  return html.textLength <= MAX_SITE_TEXT && html.linkCount <= MAX_SITE_LINKS;
}

function hasRealContent({ text, proseLength }: PageWords): boolean {
  const lines = text.split("\n").filter((line) => line.length >= MIN_LINE_LENGTH);
  const isList = lines.length >= MIN_LINES && proseLength > MAX_TINY_TEXT;
  const dates = foldWords(text).match(DATE)?.length ?? 0;
  return PRICE.test(text) || PHONE.test(text) || dates >= MIN_DATES || isList;
}

function listNames({ title, headings, headingCount, proseLength }: PageWords): string[] {
  const isFirstAlone = headingCount > 2 || proseLength > MAX_TINY_TEXT;
  return [...splitTitle(title), ...headings.slice(0, isFirstAlone ? 1 : 2)];
}

/**
 * A title or heading proves these kinds on any page. A phrase of kind `unfinished` may concern only a part of an open
 * site.
 */
const OPEN_KINDS: readonly StandInKind[] = [
  "missing",
  "broken",
  "for_sale",
  "placeholder",
  "starter",
];
const KINDS: readonly StandInKind[] = [...OPEN_KINDS, "unfinished"];

export interface Match {
  kind: StandInKind;
  phrase: string;
}

function listMatches(phrases: readonly string[], kinds: readonly StandInKind[]): Match[] {
  return phrases
    .map((phrase) => ({ phrase: phrase.trim(), kind: findKind(phrase) }))
    .filter((match): match is Match => match.kind !== undefined && kinds.includes(match.kind));
}

function isMost(match: Match | undefined, { textLength }: Html): boolean {
  const share = (match?.phrase.length ?? 0) / textLength;
  return textLength <= MAX_TINY_TEXT && share >= MIN_SHARE;
}

/** The minimum length of a path segment that names the page's subject. */
const MIN_NAME = 8;

/** If the URL contains the phrase, the phrase is the page's subject. */
function isNamedByAddress(evidence: Evidence, { phrase, kind }: Match): boolean {
  const { hostname, pathname } = urlOf(evidence.url);
  const squeezed = squeezeWords(phrase.replace(WELCOME, ""));
  const isNamed = (name: string): boolean =>
    name.includes(squeezed) ||
    (name.length >= MIN_NAME && squeezed.includes(name)) ||
    (kind === "missing" && /404|notfound/.test(name)) ||
    (kind === "broken" && /^5\d\d$/.test(name));
  return (
    nameOfHost(hostname).includes(squeezed) || pathname.split("/").map(squeezeWords).some(isNamed)
  );
}

/** This phrase is common on real pages. It counts only if the page has hardly any other words. */
const COMMON = /^it works/i;
/** A product may have the name of a place, so “Welcome to …” alone proves nothing. */
const WELCOME = /^welcome to /i;
/** These words mean a domain, but also an estate in French and Spanish. */
const ESTATE = /\b(?:domaine|dominio)\b/i;

/** A work may have such a phrase as its name: an album called “Under Construction”. Its page says what it is. */
const WORK =
  /\b(?:album|ep|lp|single|song|novel|book|comic|film|movie|episode|podcast|exhibition|poster|painting|game|chanson|roman|livre|bd|exposition|lied|buch|ausstellung)s?\b/;
const OF_WORK =
  /\b(?:released?|out now|by|tracks?|tracklist|songs|vinyl|lyrics|listen|stream|spotify|bandcamp|apple music|deezer|author|isbn|publisher|pages|directed|starring|producer|artist|edition|sortie?|ecouter|titres|auteur|editeur|horen|erschienen|autor|verlag|(?:19|20)\d\d)\b/;
const OF_SITE =
  /\b(?:web ?site|site|web ?page|homepage|internet|stay tuned|check back|come back|be back|launch(?:ing)?|visit us|notify|subscribe|revenez|bientot|demnachst)\b/;

function isWork({ kind, phrase }: Match, { title, text }: PageWords): boolean {
  const words = foldWords(`${title}\n${text}`).replaceAll(foldWords(phrase), " ");
  return (
    kind === "unfinished" &&
    WORK.test(words) &&
    OF_WORK.test(words.replace(WORK, " ")) &&
    !OF_SITE.test(foldWords(`${phrase} ${words}`))
  );
}

/** A sure match counts even if the page has real content. */
function isSure({ kind, phrase }: Match, matches: readonly Match[]): boolean {
  if (kind === "for_sale") return !ESTATE.test(phrase) || /nom de domaine|\w\.[a-z]/i.test(phrase);
  if (kind === "starter") return !WELCOME.test(phrase);
  return (kind === "missing" || kind === "broken") && matches.length > 1;
}

function findProduct(html: Html, words: PageWords): Match | undefined {
  if (html.textLength > MAX_TEXT || html.proseLength > MAX_PRODUCT_PROSE) return undefined;
  const isBare = html.imageCount + html.shownCount === 0;
  const found =
    (isBare ? findKnown("whole", words.text) : undefined) ?? findKnown("text", words.text);
  if (!found || found.kind === "template") return undefined;
  const [phrase = ""] = found.words;
  const before = [words.title, ...words.headings]
    .map((name) => foldWords(name).split(foldWords(phrase)))
    .flatMap(([first = "", ...others]) => (others.length > 0 ? [first] : []));
  const share = found.words.join("").length / Math.max(html.proseLength, 1);
  const isMain = before.length > 0 || share >= MIN_PRODUCT_SHARE;
  const isAbout = before.some((text) => ABOUT.test(text));
  return isMain && !isAbout ? { kind: found.kind, phrase } : undefined;
}

function findPhrase(html: Html, words: PageWords): Match | undefined {
  const matches = listMatches(listNames(words), isUnopened(html) ? KINDS : OPEN_KINDS);
  const [named] = matches;
  const isUnlike = (match: Match): boolean =>
    (COMMON.test(match.phrase) && !isMost(match, html)) ||
    isWork(match, words) ||
    (!isSure(match, matches) && hasRealContent(words));
  if (named) return isUnlike(named) ? undefined : named;
  if (html.textLength > MAX_BRIEF_TEXT) return undefined;
  const sentences = splitSentences(words.text);
  const kinds = new Set(sentences.map(findKind).filter((kind) => kind !== undefined));
  if (kinds.size > 1) return undefined;
  const [match] = listMatches(sentences.slice(0, MAX_SENTENCES), KINDS);
  const isAll = words.headingCount === 0 || isMost(match, html);
  if (!match || (match.kind === "unfinished" && !isAll)) return undefined;
  return isUnlike(match) ? undefined : match;
}

export function findStandIn(evidence: Evidence, html: Html): Match | undefined {
  if (isShell(html)) return undefined;
  const words = { ...html, title: html.title ?? "" };
  const found = findProduct(html, words) ?? (isLittle(html) ? findPhrase(html, words) : undefined);
  return found && isNamedByAddress(evidence, found) ? undefined : found;
}
