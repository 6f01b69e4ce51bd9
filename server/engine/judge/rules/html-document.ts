import { describeCount } from "../../../../shared/report/words.ts";
import type { Body, Evidence } from "../../evidence/evidence.ts";
import type { Html } from "../../evidence/html.ts";
import { findEncoding, readContentType } from "../facts/content-type.ts";
import { isStandardsMode } from "../facts/document-mode.ts";
import { findMeantTag, guessLanguage, isLanguageTag } from "../facts/languages.ts";
import { XHTML_TYPE } from "../../../base/syntax/media-type.ts";
import { getAnswer } from "../../evidence/accessors.ts";
import { findMistyped } from "../facts/mistyped.ts";
import {
  addLine,
  type Fix,
  type Judgement,
  type Rule,
  cut,
  fail,
  pageHtml,
  pass,
  unknown,
  verbatim,
  htmlPart,
  wcag,
} from "../rule.ts";

export const UNREAD_HTML: Judgement = unknown({
  fr: "La page n'a pas été lue en entier : elle est trop longue, ou arrive trop lentement.",
  en: "The page was not read in full: it is too long, or arrives too slowly.",
});

/** XML has no quirks mode. Its default encoding is UTF-8. */
function isXml(evidence: Evidence): boolean {
  return readContentType(getAnswer(evidence).headers).essence === XHTML_TYPE;
}

const DOCTYPE_FIX = addLine(
  {
    fr: "Commencez la page par un doctype, puis vérifiez sa mise en page.",
    en: "Start the page with a doctype, then check its layout.",
  },
  "<!doctype html>",
);

/** In quirks mode, browsers also accept a style sheet of the site that has another type (HTML, 4.6.7.23). */
function fixDoctype(evidence: Evidence): Fix {
  const [sheet] = findMistyped(evidence, ["style"]);
  if (sheet === undefined) return DOCTYPE_FIX;
  const shown = cut(sheet, 100);
  return {
    fr: `Envoyez d'abord ${shown} avec Content-Type: text/css, puis commencez la page par <!doctype html>.`,
    en: `First send ${shown} with Content-Type: text/css, then start the page with <!doctype html>.`,
  };
}

export const doctype: Rule = {
  id: "html.doctype",
  title: { fr: "Doctype (mode standard)", en: "Doctype (standards mode)" },
  measures: {
    fr: "La page commence par un doctype qui met les navigateurs en mode standard.",
    en: "The page starts with a doctype that puts browsers in standards mode.",
  },
  why: {
    fr: "En mode de compatibilité, les navigateurs calculent autrement les tailles et les styles.",
    en: "In quirks mode, browsers compute sizes and styles differently.",
  },
  fix: DOCTYPE_FIX,
  standard: htmlPart("the doctype", "syntax", "the-doctype"),
  parents: pageHtml,
  judge(evidence) {
    const html = evidence.page.body?.html;
    if (!html) return UNREAD_HTML;
    if (isXml(evidence))
      return pass({
        fr: "Envoyée en XML, la page est toujours en mode standard.",
        en: "Sent as XML, the page is always in standards mode.",
      });
    if (html.doctype === null)
      return fail(
        {
          fr: "La page ne commence pas par un doctype, ce qui met les navigateurs en mode de compatibilité (quirks).",
          en: "The page does not start with a doctype, so browsers use quirks mode.",
        },
        fixDoctype(evidence),
      );
    const shown = cut(`<!${html.doctype}>`, 150);
    if (isStandardsMode(html.doctype)) return pass(verbatim(shown));
    return fail(
      {
        fr: `${shown} met les navigateurs en mode de compatibilité (quirks).`,
        en: `${shown} puts browsers in quirks mode.`,
      },
      fixDoctype(evidence),
    );
  },
};

const CHARSET_BYTES = 1024;
/**
 * Browsers also read an XML declaration in HTML, unless a meta tag declares an encoding (HTML, "get an XML encoding").
 */
const XML_DECLARATION = /^<\?xml[^>]{0,80}encoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})["']/;
const UTF8_META = '<meta charset="utf-8">';
const UTF8_HEADER_FIX = addLine(
  {
    fr: "Enregistrez la page en UTF-8, et déclarez cet encodage dans Content-Type.",
    en: "Save the page in UTF-8, and declare this encoding in Content-Type.",
  },
  "Content-Type: text/html; charset=utf-8",
);
const UTF8_META_FIX = addLine(
  {
    fr: "Enregistrez la page en UTF-8, et déclarez cet encodage au début de <head>.",
    en: "Save the page in UTF-8, and declare this encoding at the start of <head>.",
  },
  UTF8_META,
);

const EARLY_META_FIX = addLine(
  {
    fr: "Déplacez cette balise au début de <head>.",
    en: "Move this tag to the start of <head>.",
  },
  UTF8_META,
);

/** Content-Type overrides the page's own declaration. */
function judgeHeader(charset: string, meta: Html["charset"]): Judgement {
  if (findEncoding(charset) === "utf-8")
    return pass({
      fr: `Content-Type : charset=${charset}.`,
      en: `Content-Type: charset=${charset}.`,
    });
  const isOverridden = meta !== null && findEncoding(meta.label) === "utf-8";
  const rest = isOverridden
    ? {
        fr: `, et l'emporte sur <meta charset="utf-8">`,
        en: ', which overrides <meta charset="utf-8">',
      }
    : { fr: "", en: "" };
  return fail(
    {
      fr: `Content-Type déclare un autre encodage qu'UTF-8 (charset=${charset})${rest.fr}.`,
      en: `Content-Type declares an encoding other than UTF-8 (charset=${charset})${rest.en}.`,
    },
    UTF8_HEADER_FIX,
  );
}

/** A byte order mark overrides any other declaration. */
function judgeBom(bomEncoding: NonNullable<Body["bomEncoding"]>): Judgement {
  if (bomEncoding === "utf-8")
    return pass({
      fr: "UTF-8 est déclaré par une marque d'ordre des octets (BOM).",
      en: "UTF-8 is declared by a byte order mark (BOM).",
    });
  const name = bomEncoding.toUpperCase();
  return fail(
    {
      fr: `La marque d'ordre des octets (BOM) de la page déclare ${name}.`,
      en: `The page's byte order mark (BOM) declares ${name}.`,
    },
    addLine(
      {
        fr: "Enregistrez la page en UTF-8, sans BOM, et déclarez cet encodage au début de <head>.",
        en: "Save the page in UTF-8, without a BOM, and declare this encoding at the start of <head>.",
      },
      UTF8_META,
    ),
  );
}

export const charset: Rule = {
  id: "html.charset",
  title: { fr: "Encodage UTF-8", en: "UTF-8 encoding" },
  measures: {
    fr: "UTF-8 est déclaré par une marque d'ordre des octets (BOM), par Content-Type, par une balise meta dans les 1 024 premiers octets ou par une déclaration XML.",
    en: "UTF-8 is declared by a byte order mark (BOM), by Content-Type, by a meta tag in the first 1,024 bytes, or by an XML declaration.",
  },
  why: {
    fr: "Dans un autre encodage, ou si le navigateur doit le deviner, les lettres accentuées peuvent mal s'afficher.",
    en: "In another encoding, or if the browser has to guess it, accented letters may be garbled.",
  },
  fix: UTF8_META_FIX,
  standard: htmlPart("character encoding", "semantics", "charset"),
  parents: pageHtml,
  judge(evidence) {
    const { body } = evidence.page;
    if (!body?.html) return UNREAD_HTML;
    if (body.bomEncoding) return judgeBom(body.bomEncoding);
    const header = readContentType(getAnswer(evidence).headers).charset;
    const meta = body.html.charset;
    if (header !== null) return judgeHeader(cut(header, 40), meta);
    const declaration = XML_DECLARATION.exec(body.start)?.[1] ?? (isXml(evidence) ? "utf-8" : "");
    const isDeclared = isXml(evidence) || (!meta && declaration !== "");
    if (isDeclared && findEncoding(declaration) === "utf-8")
      return pass({ fr: "Le document XML est en UTF-8.", en: "The XML document is in UTF-8." });
    if (!meta) return fail({ fr: "Aucun encodage n'est déclaré.", en: "No encoding is declared." });
    const shown = `<meta charset="${cut(meta.label, 40)}">`;
    if (findEncoding(meta.label) !== "utf-8")
      return fail({
        fr: `${shown} déclare un autre encodage qu'UTF-8.`,
        en: `${shown} declares an encoding other than UTF-8.`,
      });
    const found = {
      fr: `${shown} se termine à la position ${describeCount(meta.offset, "fr")}`,
      en: `${shown} ends at position ${describeCount(meta.offset, "en")}`,
    };
    if (meta.offset < CHARSET_BYTES) return pass({ fr: `${found.fr}.`, en: `${found.en}.` });
    return fail(
      {
        fr: `${found.fr}, au-delà des ${describeCount(CHARSET_BYTES, "fr")} premiers octets.`,
        en: `${found.en}, past the first ${describeCount(CHARSET_BYTES, "en")} bytes.`,
      },
      EARLY_META_FIX,
    );
  },
};

const LANG_FIX = {
  fr: "Corrigez l'attribut lang de <html>.",
  en: "Correct the lang attribute of <html>.",
};

/** Returns undefined for a page in Latin letters, which many languages share. */
function fixLang({ title, text }: Html): Fix | undefined {
  const guess = guessLanguage(`${title ?? ""}\n${text}`);
  if (guess === undefined) return undefined;
  return addLine(
    {
      fr: `Indiquez la langue de la page dans l'attribut lang de <html>. D'après ses lettres, c'est sans doute ${guess}.`,
      en: `State the language of the page in the lang attribute of <html>. By its letters, it is most likely ${guess}.`,
    },
    `<html lang="${guess}">`,
  );
}

export const lang: Rule = {
  id: "html.lang",
  title: { fr: "Langue de la page", en: "Language of the page" },
  measures: {
    fr: "L'attribut lang de <html> est une étiquette de langue valide.",
    en: "The lang attribute of <html> is a valid language tag.",
  },
  why: {
    fr: "Un lecteur d'écran peut mal prononcer la page, et un navigateur proposer à tort de la traduire.",
    en: "A screen reader may mispronounce the page, and a browser may wrongly offer to translate it.",
  },
  fix: {
    fr: "Indiquez la langue de la page dans l'attribut lang de <html>, par exemple fr.",
    en: "State the language of the page in the lang attribute of <html>, such as en.",
  },
  standard: wcag("3.1.1", "language-of-page"),
  parents: pageHtml,
  judge(evidence) {
    const html = evidence.page.body?.html;
    if (!html) return UNREAD_HTML;
    const language = isXml(evidence) ? (html.xmlLang ?? html.lang) : html.lang;
    const guess = fixLang(html);
    if (language === null)
      return fail(
        { fr: "<html> n'a pas d'attribut lang.", en: "<html> has no lang attribute." },
        guess,
      );
    const tag = language.trim();
    if (tag === "")
      return fail(
        {
          fr: "L'attribut lang de <html> est vide.",
          en: "The lang attribute of <html> is empty.",
        },
        guess,
      );
    const shown = `<html lang="${cut(language, 64)}">`;
    if (isLanguageTag(tag)) return pass(verbatim(shown));
    const found = { fr: `${shown} ne désigne aucune langue.`, en: `${shown} is not a language.` };
    const meant = findMeantTag(tag);
    const line = `<html lang="${meant}">`;
    return fail(found, meant === undefined ? guess : addLine(LANG_FIX, line));
  },
};
