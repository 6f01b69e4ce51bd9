import { findWholeHtml } from "../page.ts";
import { type Rule, cut, fail, notApplicable, pageHtml, partial, pass, text } from "../rule.ts";
import { UNREAD_HTML } from "./html-document.ts";

const MIN_TEXT_LENGTH = 50;

export const content: Rule = {
  id: "html.content",
  title: text("Texte présent sans JavaScript", "Text there without JavaScript"),
  measures: text(
    "Le HTML reçu contient au moins 50 caractères de texte visible, ou autant dans un noscript.",
    "The HTML received holds at least 50 characters of visible text, or as many in a noscript.",
  ),
  matters: text(
    "Tant que le script n'a pas tourné, la page est vide, pour les visiteurs comme pour beaucoup de robots.",
    "Until the script has run the page is empty, for visitors as for many crawlers.",
  ),
  fix: text(
    "Produisez le HTML sur le serveur ou à la compilation, ou dites l'essentiel dans un <noscript>.",
    "Render the HTML on the server or at build time, or say what matters in a <noscript>.",
  ),
  standard: {
    name: "HTML, 4.12.2",
    url: "https://html.spec.whatwg.org/multipage/scripting.html#the-noscript-element",
  },
  parents: pageHtml,
  judge(evidence) {
    const html = evidence.page.body?.html;
    if (!html) return UNREAD_HTML;
    const { textLength, noscriptLength, emptyRootId } = html;
    const isFilled = textLength >= MIN_TEXT_LENGTH || noscriptLength >= MIN_TEXT_LENGTH;
    if (isFilled)
      return pass(
        text(
          `${textLength} caractères de texte visible, ${noscriptLength} dans noscript.`,
          `${textLength} characters of visible text, ${noscriptLength} in noscript.`,
        ),
      );
    if (!findWholeHtml(evidence)) return UNREAD_HTML;
    const root = emptyRootId === null ? "" : `id="${cut(emptyRootId, 40)}"`;
    return fail(
      text(
        `${textLength} caractères de texte visible${root && ` : la page est rendue par un script dans l'élément vide ${root}`}.`,
        `${textLength} characters of visible text${root && `: a script renders the page into the empty element ${root}`}.`,
      ),
    );
  },
};

const FEW_SHARE = 0.9;

export const imageAlt: Rule = {
  id: "html.img-alt",
  title: text("Texte de remplacement des images", "Alternative text of images"),
  measures: text(
    "Chaque <img> a un attribut alt, vide si l'image est décorative ; neuf sur dix valent la moitié.",
    "Each <img> has an alt attribute, empty where the image is decorative; nine in ten are worth half.",
  ),
  matters: text(
    "Qui écoute la page entend à la place le nom du fichier.",
    "Those who listen to the page hear the name of the file instead.",
  ),
  fix: text(
    'Ajoutez alt="…" à chaque image, et alt="" à celles qui ne font que décorer.',
    'Add alt="…" to each image, and alt="" to those that only decorate.',
  ),
  standard: { name: "WCAG 2.2, 1.1.1", url: "https://www.w3.org/TR/WCAG22/#non-text-content" },
  parents: pageHtml,
  judge(evidence) {
    const html = findWholeHtml(evidence);
    if (!html) return UNREAD_HTML;
    const { imageCount, imagesWithoutAltCount: missing, imagesWithoutAlt } = html;
    if (imageCount === 0)
      return notApplicable(text("La page n'a pas d'image.", "The page has no image."));
    if (missing === 0)
      return pass(
        text(
          `Images avec alt : ${imageCount} sur ${imageCount}.`,
          `Images with alt: ${imageCount} of ${imageCount}.`,
        ),
      );
    const tags = imagesWithoutAlt.slice(0, 5);
    const shown = (word: string) =>
      cut(tags.map(({ tag, line }) => `${cut(tag, 60)} (${word} ${line})`).join(", "), 250);
    const seen = text(
      `Images sans alt : ${missing} sur ${imageCount}, dont ${shown("ligne")}.`,
      `Images without alt: ${missing} of ${imageCount}, such as ${shown("line")}.`,
    );
    return (imageCount - missing) / imageCount >= FEW_SHARE ? partial("few", seen) : fail(seen);
  },
};
