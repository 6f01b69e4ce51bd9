import { findEncoding, readContentType } from "../content-type.ts";
import { getAnswer } from "../page.ts";
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
} from "../rule.ts";

/** The judgement of a rule for which the HTML, or the whole of it, would have to be read. */
export const UNREAD_HTML: Judgement = unknown(
  text(
    "La page est trop longue pour être lue en entier.",
    "The page is too long to be read whole.",
  ),
);

/** Public identifiers that leave browsers in standards mode, or nearly (HTML, 13.2.6.4.1); with a system identifier. */
const STANDARDS =
  /^-\/\/W3C\/\/DTD (?:HTML 4\.01|XHTML 1\.[01])(?: (?:Strict|Transitional|Frameset))?\/\//i;
const ALWAYS_STANDARDS =
  /^-\/\/W3C\/\/DTD (?:HTML 4\.0(?:1)?|XHTML 1\.[01](?: Strict)?|XHTML Basic 1\.[01])\/\//i;

function isStandardsMode(declaration: string): boolean {
  const [, rest] = /^doctype\s+html\b(.*)$/is.exec(declaration.trim()) ?? [];
  if (rest === undefined) return false;
  const [, publicId, systemId] =
    /^\s*public\s*["']([^"']*)["']\s*(?:["']([^"']*)["'])?/i.exec(rest) ?? [];
  if (publicId === undefined) return !/ibmxhtml1-transitional\.dtd/i.test(rest);
  return ALWAYS_STANDARDS.test(publicId) || (Boolean(systemId) && STANDARDS.test(publicId));
}

export const doctype: Rule = {
  id: "html.doctype",
  title: text("Doctype du mode standard", "Standards-mode doctype"),
  measures: text(
    "La page commence par un doctype qui met les navigateurs en mode standard.",
    "The page starts with a doctype that puts browsers in standards mode.",
  ),
  matters: text(
    "En mode de compatibilité, les navigateurs calculent autrement les tailles et les styles.",
    "In quirks mode, browsers work out sizes and styles in another way.",
  ),
  fix: text("Commencez la page par : <!doctype html>", "Start the page with: <!doctype html>"),
  standard: {
    name: "HTML, 13.1.1",
    url: "https://html.spec.whatwg.org/multipage/syntax.html#the-doctype",
  },
  parents: pageHtml,
  judge({ page }) {
    const html = page.body?.html;
    if (!html) return UNREAD_HTML;
    if (html.doctype === null) return fail(text("Aucun doctype.", "No doctype."));
    const shown = cut(`<!${html.doctype}>`, 150);
    return isStandardsMode(html.doctype) ? pass(verbatim(shown)) : fail(verbatim(shown));
  },
};

const CHARSET_BYTES = 1024;

export const charset: Rule = {
  id: "html.charset",
  title: text("UTF-8 déclaré", "UTF-8 declared"),
  measures: text(
    "UTF-8 est déclaré par Content-Type, par une marque d'ordre (BOM) ou par une meta dans les 1024 premiers octets.",
    "UTF-8 is declared by Content-Type, by a byte order mark, or by a meta in the first 1024 bytes.",
  ),
  matters: text(
    "Sans déclaration, le navigateur devine, et les accents peuvent s'afficher de travers.",
    "Without a declaration the browser guesses, and accented letters may come out garbled.",
  ),
  fix: text(
    'Mettez en tête de <head> : <meta charset="utf-8">',
    'Put first in <head>: <meta charset="utf-8">',
  ),
  standard: {
    name: "HTML, 4.2.5.4",
    url: "https://html.spec.whatwg.org/multipage/semantics.html#charset",
  },
  parents: pageHtml,
  judge(evidence) {
    const { body } = evidence.page;
    if (!body?.html) return UNREAD_HTML;
    if (body.bom)
      return pass(text("Déclaré par une marque d'ordre.", "Declared by a byte order mark."));
    const header = readContentType(getAnswer(evidence).headers).charset;
    const meta = body.html.charset;
    if (header !== null) {
      const seen = text(
        `Content-Type : charset=${cut(header, 40)}.`,
        `Content-Type: charset=${cut(header, 40)}.`,
      );
      return findEncoding(header) === "utf-8" ? pass(seen) : fail(seen);
    }
    if (!meta) return fail(text("Aucune déclaration.", "No declaration."));
    const seen = text(
      `<meta charset="${cut(meta.label, 40)}"> finit à la position ${meta.offset}.`,
      `<meta charset="${cut(meta.label, 40)}"> ends at position ${meta.offset}.`,
    );
    return meta.offset < CHARSET_BYTES && findEncoding(meta.label) === "utf-8"
      ? pass(seen)
      : fail(seen);
  },
};

/** RFC 5646, 2.1; a primary subtag of more than 3 letters has never been registered. */
function isLanguageTag(tag: string): boolean {
  if (!/^[a-z]{2,3}(?:-|$)/i.test(tag)) return false;
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

export const lang: Rule = {
  id: "html.lang",
  title: text("Langue de la page", "Language of the page"),
  measures: text(
    "L'attribut lang de <html> est une étiquette de langue valable.",
    "The lang attribute of <html> is a valid language tag.",
  ),
  matters: text(
    "Les lecteurs d'écran prononcent mal la page, et les navigateurs proposent de la traduire à tort.",
    "Screen readers mispronounce the page, and browsers wrongly offer to translate it.",
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
    const shown = `<html lang="${cut(html.lang, 64)}">`;
    return isLanguageTag(html.lang.trim()) ? pass(verbatim(shown)) : fail(verbatim(shown));
  },
};
