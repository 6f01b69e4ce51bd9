import { describeCount } from "../../../../shared/report/words.ts";
import type { Html } from "../../evidence/html.ts";
import { findWholeHtml } from "../../evidence/accessors.ts";
import { isWaiting } from "../facts/waiting-text.ts";
import {
  type Rule,
  cut,
  fail,
  notApplicable,
  pageHtml,
  partial,
  pass,
  htmlPart,
  wcag,
} from "../rule.ts";
import { UNREAD_HTML } from "./html-document.ts";

const MIN_TEXT_LENGTH = 50;
/** A shorter text may be only a request to turn on JavaScript, which says nothing about the page. */
const MIN_NOSCRIPT_LENGTH = 150;

function isFilled(html: Html): boolean {
  const { textLength, noscriptLength, imageCount, shownCount, emptyRootId } = html;
  const isWaitingOnly = isWaiting(html);
  if (textLength >= MIN_TEXT_LENGTH && !isWaitingOnly) return true;
  if (noscriptLength >= MIN_NOSCRIPT_LENGTH) return true;
  return imageCount + (isWaitingOnly ? 0 : shownCount) > 0 && emptyRootId === null;
}

export const content: Rule = {
  id: "html.content",
  title: { fr: "Contenu sans JavaScript", en: "Content without JavaScript" },
  measures: {
    fr: "Le HTML reçu contient au moins 50 caractères de texte visible, des images, des dessins (canvas, SVG) ou des champs, ou 150 caractères dans un noscript. Ce qui est masqué, un bandeau de cookies et « Chargement… » ne comptent pas.",
    en: "The HTML received contains at least 50 characters of visible text, images, drawings (canvas, SVG) or form fields, or 150 characters in a noscript. Hidden content, a cookie banner and “Loading…” do not count.",
  },
  why: {
    fr: "Un visiteur qui n'exécute pas de script, comme beaucoup de robots, ne trouve presque rien à lire.",
    en: "Visitors that run no scripts, such as many crawlers, find almost nothing to read.",
  },
  fix: {
    fr: "Générez le HTML sur le serveur ou à la compilation, ou écrivez l'essentiel dans un <noscript>.",
    en: "Render the HTML on the server or at build time, or write the essentials in a <noscript>.",
  },
  standard: htmlPart("the noscript element", "scripting", "the-noscript-element"),
  parents: pageHtml,
  judge(evidence) {
    const html = evidence.page.body?.html;
    if (!html) return UNREAD_HTML;
    const { textLength, noscriptLength, imageCount, shownCount, emptyRootId } = html;
    const counted = {
      fr: `Caractères de texte visible : ${describeCount(textLength, "fr")} (dans noscript : ${describeCount(noscriptLength, "fr")}) ; images : ${imageCount} ; dessins et champs : ${shownCount}`,
      en: `Characters of visible text: ${describeCount(textLength, "en")} (in noscript: ${describeCount(noscriptLength, "en")}); images: ${imageCount}; drawings and fields: ${shownCount}`,
    };
    if (isFilled(html)) return pass({ fr: `${counted.fr}.`, en: `${counted.en}.` });
    if (!findWholeHtml(evidence)) return UNREAD_HTML;
    const root = emptyRootId === null ? "" : cut(emptyRootId, 40);
    return fail({
      fr: `${counted.fr}${root && ` ; l'élément #${root} est vide et attend un script`}.`,
      en: `${counted.en}${root && `; the element #${root} is empty and waits for a script`}.`,
    });
  },
};

const FEW_SHARE = 0.9;
const SHOWN_IMAGES = 3;

export const imageAlt: Rule = {
  id: "html.img-alt",
  title: { fr: "Texte alternatif des images", en: "Alternative text for images" },
  measures: {
    fr: "Chaque <img> a un attribut alt, vide si l'image est décorative, ou un autre nom (aria-label, title). Si neuf images sur dix en ont un, la règle rapporte la moitié des points.",
    en: "Each <img> has an alt attribute, empty if the image is decorative, or another name (aria-label, title). If only nine images in ten have one, the rule earns half the points.",
  },
  why: {
    fr: "Un lecteur d'écran n'annonce rien à la place de l'image, ou seulement le nom du fichier.",
    en: "A screen reader announces nothing in place of the image, or only the name of the file.",
  },
  fix: {
    fr: 'Décrivez chaque image dans son attribut alt, et laissez-le vide (alt="") pour les images décoratives.',
    en: 'Describe each image in its alt attribute, and leave it empty (alt="") for decorative images.',
  },
  standard: wcag("1.1.1", "non-text-content"),
  parents: pageHtml,
  judge(evidence) {
    const html = findWholeHtml(evidence);
    if (!html) return UNREAD_HTML;
    const { imageCount, imagesWithoutAltCount: missing, imagesWithoutAlt } = html;
    if (imageCount === 0)
      return notApplicable({ fr: "La page n'a pas d'image.", en: "The page has no image." });
    if (missing === 0)
      return pass({
        fr: `Images avec un texte alternatif : ${imageCount} sur ${imageCount}.`,
        en: `Images with alternative text: ${imageCount} of ${imageCount}.`,
      });
    const tags = imagesWithoutAlt.slice(0, SHOWN_IMAGES);
    const isAll = tags.length === missing;
    const shown = (word: string) =>
      tags.map(({ tag, line }) => `${cut(tag, 90)} (${word} ${line})`).join(", ");
    const found = {
      fr: `Images sans texte alternatif : ${missing} sur ${imageCount}${isAll ? " :" : ", dont"} ${shown("ligne")}.`,
      en: `Images without alternative text: ${missing} of ${imageCount}${isAll ? ":" : ", including"} ${shown("line")}.`,
    };
    return (imageCount - missing) / imageCount >= FEW_SHARE ? partial("few", found) : fail(found);
  },
};
