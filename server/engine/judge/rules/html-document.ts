import type { Body } from "../../evidence/body.ts";
import { findEncoding, readContentType } from "../facts/content-type.ts";
import { isStandardsMode } from "../facts/document-mode.ts";
import { getAnswer } from "../../evidence/page.ts";
import type { Judgement, Rule } from "../rule.ts";
import { cut, fail, pageHtml, pass, unknown, verbatim, withLine } from "../rule.ts";

/** The judgement of a rule that would need the HTML, or all of it. */
export const UNREAD_HTML: Judgement = unknown({
  fr: "La page est trop longue pour être lue en entier.",
  en: "The page is too long to be read in full.",
});

export const doctype: Rule = {
  id: "html.doctype",
  title: { fr: "Doctype du mode standard", en: "Standards-mode doctype" },
  measures: {
    fr: "La page commence par un doctype qui met les navigateurs en mode standard.",
    en: "The page starts with a doctype that puts browsers in standards mode.",
  },
  matters: {
    fr: "En mode de compatibilité, les navigateurs calculent autrement les tailles et les styles.",
    en: "In quirks mode, browsers work out sizes and styles differently.",
  },
  fix: withLine(
    { fr: "Commencez la page par : <!doctype html>", en: "Start the page with: <!doctype html>" },
    "<!doctype html>",
  ),
  standard: {
    name: "HTML, 13.1.1",
    url: "https://html.spec.whatwg.org/multipage/syntax.html#the-doctype",
  },
  parents: pageHtml,
  judge({ page }) {
    const html = page.body?.html;
    if (!html) return UNREAD_HTML;
    if (html.doctype === null)
      return fail({
        fr: "Aucun doctype en tête de la page.",
        en: "No doctype at the start of the page.",
      });
    const shown = cut(`<!${html.doctype}>`, 150);
    return isStandardsMode(html.doctype) ? pass(verbatim(shown)) : fail(verbatim(shown));
  },
};

const CHARSET_BYTES = 1024;
const UTF8_META = '<meta charset="utf-8">';
const UTF8_HEADER_FIX = withLine(
  {
    fr: "Enregistrez la page en UTF-8, et envoyez : Content-Type: text/html; charset=utf-8",
    en: "Save the page in UTF-8, and send: Content-Type: text/html; charset=utf-8",
  },
  "Content-Type: text/html; charset=utf-8",
);
const UTF8_META_FIX = withLine(
  {
    fr: `Enregistrez la page en UTF-8, et mettez en tête de <head> : ${UTF8_META}`,
    en: `Save the page in UTF-8, and put first in <head>: ${UTF8_META}`,
  },
  UTF8_META,
);

/** Judges a page with a byte order mark, which overrides any other declaration. */
function judgeBom(bomEncoding: NonNullable<Body["bomEncoding"]>): Judgement {
  if (bomEncoding === "utf-8")
    return pass({
      fr: "Déclaré par une marque d'ordre (BOM).",
      en: "Declared by a byte order mark.",
    });
  const name = bomEncoding.toUpperCase();
  return fail(
    {
      fr: `La marque d'ordre (BOM) de la page déclare ${name}.`,
      en: `The page's byte order mark declares ${name}.`,
    },
    withLine(
      {
        fr: `Enregistrez la page en UTF-8, sans BOM, et mettez en tête de <head> : ${UTF8_META}`,
        en: `Save the page in UTF-8, without a byte order mark, and put first in <head>: ${UTF8_META}`,
      },
      UTF8_META,
    ),
  );
}

export const charset: Rule = {
  id: "html.charset",
  title: { fr: "UTF-8 déclaré", en: "UTF-8 declared" },
  measures: {
    fr: "UTF-8 est déclaré par une marque d'ordre (BOM), par Content-Type ou par une meta dans les 1024 premiers octets.",
    en: "UTF-8 is declared by a byte order mark, by Content-Type, or by a meta in the first 1024 bytes.",
  },
  matters: {
    fr: "Hors d'UTF-8, ou quand le navigateur doit deviner, les accents peuvent s'afficher de travers.",
    en: "Outside UTF-8, or where the browser has to guess, accented letters may come out garbled.",
  },
  fix: withLine(
    { fr: `Mettez en tête de <head> : ${UTF8_META}`, en: `Put first in <head>: ${UTF8_META}` },
    UTF8_META,
  ),
  standard: {
    name: "HTML, 4.2.5.4",
    url: "https://html.spec.whatwg.org/multipage/semantics.html#charset",
  },
  parents: pageHtml,
  judge(evidence) {
    const { body } = evidence.page;
    if (!body?.html) return UNREAD_HTML;
    if (body.bomEncoding) return judgeBom(body.bomEncoding);
    const header = readContentType(getAnswer(evidence).headers).charset;
    const meta = body.html.charset;
    if (header !== null) {
      const seen = {
        fr: `Content-Type : charset=${cut(header, 40)}.`,
        en: `Content-Type: charset=${cut(header, 40)}.`,
      };
      return findEncoding(header) === "utf-8" ? pass(seen) : fail(seen, UTF8_HEADER_FIX);
    }
    if (!meta) return fail({ fr: "Aucune déclaration.", en: "No declaration." });
    const seen = {
      fr: `<meta charset="${cut(meta.label, 40)}"> se termine à la position ${meta.offset}.`,
      en: `<meta charset="${cut(meta.label, 40)}"> ends at position ${meta.offset}.`,
    };
    if (findEncoding(meta.label) !== "utf-8") return fail(seen, UTF8_META_FIX);
    if (meta.offset < CHARSET_BYTES) return pass(seen);
    return fail({
      fr: `<meta charset="${cut(meta.label, 40)}"> se termine à la position ${meta.offset}, au-delà des ${CHARSET_BYTES} premiers octets.`,
      en: `<meta charset="${cut(meta.label, 40)}"> ends at position ${meta.offset}, past the first ${CHARSET_BYTES} bytes.`,
    });
  },
};

/**
 * RFC 5646, 2.1, except tags that name no language: private ones, and languages of more than 3 letters, none of which
 * is registered.
 */
const LANGUAGE_TAG =
  /^(?<language>[a-z]{2,3}(?:-[a-z]{3}){0,3})(?:-[a-z]{4})?(?:-(?:[a-z]{2}|\d{3}))?(?<variants>(?:-(?:[a-z\d]{5,8}|\d[a-z\d]{3}))*)(?<extensions>(?:-[a-wyz\d](?:-[a-z\d]{2,8})+)*)(?:-x(?:-[a-z\d]{1,8})+)?$/i;
/** Valid tags outside the grammar (RFC 5646, 2.1, irregular). */
const IRREGULAR = new Set(
  "en-gb-oed i-ami i-bnn i-default i-enochian i-hak i-klingon i-lux i-mingo i-navajo i-pwn i-tao i-tay i-tsu sgn-be-fr sgn-be-nl sgn-ch-de".split(
    " ",
  ),
);

function areDistinct(subtags: readonly string[]): boolean {
  return new Set(subtags).size === subtags.length;
}

/**
 * Whether the tag is valid; a variant, and the letter of an extension, may appear only once (RFC 5646, 2.2.5 and
 * 2.2.6).
 */
function isLanguageTag(tag: string): boolean {
  const lower = tag.toLowerCase();
  if (IRREGULAR.has(lower)) return true;
  const groups = LANGUAGE_TAG.exec(lower)?.groups;
  if (!groups?.["language"]) return false;
  const variants = (groups["variants"] ?? "").split("-").slice(1);
  const singletons = (groups["extensions"] ?? "").match(/(?<=-)[a-z\d](?=-)/g) ?? [];
  return areDistinct(variants) && areDistinct(singletons);
}

export const lang: Rule = {
  id: "html.lang",
  title: { fr: "Langue de la page", en: "Language of the page" },
  measures: {
    fr: "L'attribut lang de <html> est une étiquette de langue valable.",
    en: "The lang attribute of <html> is a valid language tag.",
  },
  matters: {
    fr: "Un lecteur d'écran peut mal prononcer la page, et un navigateur proposer à tort de la traduire.",
    en: "A screen reader may mispronounce the page, and a browser wrongly offer to translate it.",
  },
  fix: {
    fr: 'Écrivez la langue de la page, par exemple : <html lang="fr">',
    en: 'Write the language of the page, for instance: <html lang="en">',
  },
  standard: { name: "WCAG 2.2, 3.1.1", url: "https://www.w3.org/TR/WCAG22/#language-of-page" },
  parents: pageHtml,
  judge({ page }) {
    const html = page.body?.html;
    if (!html) return UNREAD_HTML;
    if (html.lang === null)
      return fail({ fr: "<html> n'a pas d'attribut lang.", en: "<html> has no lang attribute." });
    const tag = html.lang.trim();
    if (tag === "")
      return fail({
        fr: "L'attribut lang de <html> est vide.",
        en: "The lang attribute of <html> is empty.",
      });
    const shown = `<html lang="${cut(html.lang, 64)}">`;
    if (isLanguageTag(tag)) return pass(verbatim(shown));
    const seen = { fr: `${shown} ne nomme aucune langue.`, en: `${shown} names no language.` };
    const hyphened = tag.replaceAll("_", "-");
    const line = `<html lang="${hyphened}">`;
    return isLanguageTag(hyphened)
      ? fail(
          seen,
          withLine(
            { fr: `Écrivez-la avec un tiret : ${line}`, en: `Write it with a hyphen: ${line}` },
            line,
          ),
        )
      : fail(seen);
  },
};
