import type { Body } from "../../evidence/body.ts";
import { findEncoding, readContentType } from "../facts/content-type.ts";
import { isStandardsMode } from "../facts/document-mode.ts";
import { getAnswer } from "../../evidence/page.ts";
import {
  type Judgement,
  type Rule,
  cut,
  fail,
  pageHtml,
  pass,
  text,
  unknown,
  verbatim,
  withLine,
} from "../rule.ts";

/** The judgement of a rule that would need the HTML, or all of it. */
export const UNREAD_HTML: Judgement = unknown(
  text(
    "La page est trop longue pour être lue en entier.",
    "The page is too long to be read in full.",
  ),
);

export const doctype: Rule = {
  id: "html.doctype",
  title: text("Doctype du mode standard", "Standards-mode doctype"),
  measures: text(
    "La page commence par un doctype qui met les navigateurs en mode standard.",
    "The page starts with a doctype that puts browsers in standards mode.",
  ),
  matters: text(
    "En mode de compatibilité, les navigateurs calculent autrement les tailles et les styles.",
    "In quirks mode, browsers work out sizes and styles differently.",
  ),
  fix: withLine(
    text("Commencez la page par : <!doctype html>", "Start the page with: <!doctype html>"),
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
      return fail(
        text("Aucun doctype en tête de la page.", "No doctype at the start of the page."),
      );
    const shown = cut(`<!${html.doctype}>`, 150);
    return isStandardsMode(html.doctype) ? pass(verbatim(shown)) : fail(verbatim(shown));
  },
};

const CHARSET_BYTES = 1024;
const UTF8_META = '<meta charset="utf-8">';
const UTF8_HEADER_FIX = withLine(
  text(
    "Enregistrez la page en UTF-8, et envoyez : Content-Type: text/html; charset=utf-8",
    "Save the page in UTF-8, and send: Content-Type: text/html; charset=utf-8",
  ),
  "Content-Type: text/html; charset=utf-8",
);
const UTF8_META_FIX = withLine(
  text(
    `Enregistrez la page en UTF-8, et mettez en tête de <head> : ${UTF8_META}`,
    `Save the page in UTF-8, and put first in <head>: ${UTF8_META}`,
  ),
  UTF8_META,
);

/** Judges a page with a byte order mark, which overrides any other declaration. */
function judgeBom(bomEncoding: NonNullable<Body["bomEncoding"]>): Judgement {
  if (bomEncoding === "utf-8")
    return pass(text("Déclaré par une marque d'ordre (BOM).", "Declared by a byte order mark."));
  const name = bomEncoding.toUpperCase();
  return fail(
    text(
      `La marque d'ordre (BOM) de la page déclare ${name}.`,
      `The page's byte order mark declares ${name}.`,
    ),
    withLine(
      text(
        `Enregistrez la page en UTF-8, sans BOM, et mettez en tête de <head> : ${UTF8_META}`,
        `Save the page in UTF-8, without a byte order mark, and put first in <head>: ${UTF8_META}`,
      ),
      UTF8_META,
    ),
  );
}

export const charset: Rule = {
  id: "html.charset",
  title: text("UTF-8 déclaré", "UTF-8 declared"),
  measures: text(
    "UTF-8 est déclaré par une marque d'ordre (BOM), par Content-Type ou par une meta dans les 1024 premiers octets.",
    "UTF-8 is declared by a byte order mark, by Content-Type, or by a meta in the first 1024 bytes.",
  ),
  matters: text(
    "Hors d'UTF-8, ou quand le navigateur doit deviner, les accents peuvent s'afficher de travers.",
    "Outside UTF-8, or where the browser has to guess, accented letters may come out garbled.",
  ),
  fix: withLine(
    text(`Mettez en tête de <head> : ${UTF8_META}`, `Put first in <head>: ${UTF8_META}`),
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
      const seen = text(
        `Content-Type : charset=${cut(header, 40)}.`,
        `Content-Type: charset=${cut(header, 40)}.`,
      );
      return findEncoding(header) === "utf-8" ? pass(seen) : fail(seen, UTF8_HEADER_FIX);
    }
    if (!meta) return fail(text("Aucune déclaration.", "No declaration."));
    const seen = text(
      `<meta charset="${cut(meta.label, 40)}"> se termine à la position ${meta.offset}.`,
      `<meta charset="${cut(meta.label, 40)}"> ends at position ${meta.offset}.`,
    );
    if (findEncoding(meta.label) !== "utf-8") return fail(seen, UTF8_META_FIX);
    if (meta.offset < CHARSET_BYTES) return pass(seen);
    return fail(
      text(
        `<meta charset="${cut(meta.label, 40)}"> se termine à la position ${meta.offset}, au-delà des ${CHARSET_BYTES} premiers octets.`,
        `<meta charset="${cut(meta.label, 40)}"> ends at position ${meta.offset}, past the first ${CHARSET_BYTES} bytes.`,
      ),
    );
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
  title: text("Langue de la page", "Language of the page"),
  measures: text(
    "L'attribut lang de <html> est une étiquette de langue valable.",
    "The lang attribute of <html> is a valid language tag.",
  ),
  matters: text(
    "Un lecteur d'écran peut mal prononcer la page, et un navigateur proposer à tort de la traduire.",
    "A screen reader may mispronounce the page, and a browser wrongly offer to translate it.",
  ),
  fix: text(
    'Écrivez la langue de la page, par exemple : <html lang="fr">',
    'Write the language of the page, for instance: <html lang="en">',
  ),
  standard: { name: "WCAG 2.2, 3.1.1", url: "https://www.w3.org/TR/WCAG22/#language-of-page" },
  parents: pageHtml,
  judge({ page }) {
    const html = page.body?.html;
    if (!html) return UNREAD_HTML;
    if (html.lang === null)
      return fail(text("<html> n'a pas d'attribut lang.", "<html> has no lang attribute."));
    const tag = html.lang.trim();
    if (tag === "")
      return fail(
        text("L'attribut lang de <html> est vide.", "The lang attribute of <html> is empty."),
      );
    const shown = `<html lang="${cut(html.lang, 64)}">`;
    if (isLanguageTag(tag)) return pass(verbatim(shown));
    const seen = text(`${shown} ne nomme aucune langue.`, `${shown} names no language.`);
    const hyphened = tag.replaceAll("_", "-");
    const line = `<html lang="${hyphened}">`;
    return isLanguageTag(hyphened)
      ? fail(
          seen,
          withLine(
            text(`Écrivez-la avec un tiret : ${line}`, `Write it with a hyphen: ${line}`),
            line,
          ),
        )
      : fail(seen);
  },
};
