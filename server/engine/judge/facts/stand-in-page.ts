import type { Evidence } from "../../evidence/evidence.ts";
import type { Html } from "../../evidence/html.ts";
import { urlOf } from "../../evidence/accessors.ts";
import { findKind, splitSentences, splitTitle } from "./stand-in-words.ts";
import { findKnown, foldWords, nameOfHost, squeezeWords, type StandInKind } from "./stand-ins.ts";

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
/** A product's own page may say more, if its heading or a good part of it is the product's sentences. */
const MAX_PRODUCT_PROSE = 1500;
const MIN_PRODUCT_SHARE = 1 / 8;
/** A heading that says more before the sentence than the number of an error is about it: “How to mend …”. */
const ABOUT = /^(?!(?:error|erreur)? ?\d{3}\b\W*$).{6}/;

/** What a page of one's own has: prices, a telephone number, dates and times, a list that is no menu. */
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

/** Whether a script has yet to fill the page, so that its text says nothing. */
export function isShell({ emptyRootId, scriptCount, textLength }: Html): boolean {
  return scriptCount > 0 && (emptyRootId !== null || textLength === 0);
}

/** Whether the page has so little else that a phrase may name it. */
export function isLittle(html: Html): boolean {
  return (
    html.proseLength <= MAX_PROSE &&
    html.textLength <= MAX_TEXT &&
    html.headingCount <= MAX_HEADINGS &&
    html.imageCount <= MAX_IMAGES
  );
}

/**
 * Whether the page has as little else on it as a site that is not open yet; an open shop or a programme may use the
 * same words.
 */
function isUnopened(html: Html): boolean {
  return html.textLength <= MAX_SITE_TEXT && html.linkCount <= MAX_SITE_LINKS;
}

/** Whether the text has what a page of one's own has, and a page that stands in for one has not. */
function speaksForItself({ text, proseLength }: PageWords): boolean {
  const lines = text.split("\n").filter((line) => line.length >= MIN_LINE_LENGTH);
  const isList = lines.length >= MIN_LINES && proseLength > MAX_TINY_TEXT;
  const dates = foldWords(text).match(DATE)?.length ?? 0;
  return PRICE.test(text) || PHONE.test(text) || dates >= MIN_DATES || isList;
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
const OPEN_KINDS: readonly StandInKind[] = [
  "missing",
  "broken",
  "for_sale",
  "placeholder",
  "starter",
];
const KINDS: readonly StandInKind[] = [...OPEN_KINDS, "unfinished"];

/** What a page is instead of the one asked for, and the phrase that says so. */
export interface Match {
  kind: StandInKind;
  phrase: string;
}

function listMatches(phrases: readonly string[], kinds: readonly StandInKind[]): Match[] {
  return phrases
    .map((phrase) => ({ phrase: phrase.trim(), kind: findKind(phrase) }))
    .filter((match): match is Match => match.kind !== undefined && kinds.includes(match.kind));
}

/** Whether the phrase is at least a third of a tiny page; otherwise it may concern only a part of it. */
function isMost(match: Match | undefined, { textLength }: Html): boolean {
  const share = (match?.phrase.length ?? 0) / textLength;
  return textLength <= MAX_TINY_TEXT && share >= MIN_SHARE;
}

/** The least length of a path's part that tells what a page is about. */
const MIN_NAME = 8;

/** Whether the site's name, or the path that was asked for, is the phrase or a part of it: such a page is about it. */
function isNamedByAddress(evidence: Evidence, { phrase, kind }: Match): boolean {
  const { hostname, pathname } = urlOf(evidence.url);
  const said = squeezeWords(phrase.replace(WELCOME, ""));
  const isNamed = (name: string): boolean =>
    name.includes(said) ||
    (name.length >= MIN_NAME && said.includes(name)) ||
    (kind === "missing" && /404|notfound/.test(name)) ||
    (kind === "broken" && /^5\d\d$/.test(name));
  return nameOfHost(hostname).includes(said) || pathname.split("/").map(squeezeWords).some(isNamed);
}

/** Words that mean as much on a page of one's own, unless the page has hardly any others. */
const COMMON = /^it works/i;
/** A product's name may be that of a place, too. */
const WELCOME = /^welcome to /i;
/** A domain, or in French and Spanish an estate. */
const ESTATE = /\b(?:domaine|dominio)\b/i;

/**
 * Whether the phrase decides whatever else the page has: a starter's own, that very domain is for sale, or title and
 * heading both say that nothing is there.
 */
function isSure({ kind, phrase }: Match, matches: readonly Match[]): boolean {
  if (kind === "for_sale") return !ESTATE.test(phrase) || /nom de domaine|\w\.[a-z]/i.test(phrase);
  if (kind === "starter") return !WELCOME.test(phrase);
  return (kind === "missing" || kind === "broken") && matches.length > 1;
}

/** The page of a product that the table knows by its sentences. */
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
  const isAbout = before.some((said) => ABOUT.test(said));
  return isMain && !isAbout ? { kind: found.kind, phrase } : undefined;
}

/** The phrase that says what a page with little else is. */
function findPhrase(html: Html, words: PageWords): Match | undefined {
  const matches = listMatches(listNames(words), isUnopened(html) ? KINDS : OPEN_KINDS);
  const [named] = matches;
  const isUnlike = (match: Match): boolean =>
    (COMMON.test(match.phrase) && !isMost(match, html)) ||
    (!isSure(match, matches) && speaksForItself(words));
  if (named) return isUnlike(named) ? undefined : named;
  if (html.textLength > MAX_BRIEF_TEXT) return undefined;
  const sentences = splitSentences(words.text);
  const said = new Set(sentences.map(findKind).filter((kind) => kind !== undefined));
  if (said.size > 1) return undefined;
  const [match] = listMatches(sentences.slice(0, MAX_SENTENCES), KINDS);
  const isAll = words.headingCount === 0 || isMost(match, html);
  if (!match || (match.kind === "unfinished" && !isAll)) return undefined;
  return isUnlike(match) ? undefined : match;
}

/** What stands in for the page asked for; undefined for a page of its own, and where a script has yet to fill it. */
export function findStandIn(evidence: Evidence, html: Html): Match | undefined {
  if (isShell(html)) return undefined;
  const words = { ...html, title: html.title ?? "" };
  const found = findProduct(html, words) ?? (isLittle(html) ? findPhrase(html, words) : undefined);
  return found && isNamedByAddress(evidence, found) ? undefined : found;
}
