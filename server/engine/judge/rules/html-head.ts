import { describeCount } from "../../../../shared/report/words.ts";
import { pageMetas } from "../facts/metas.ts";
import { findHead, pageUrl } from "../../evidence/accessors.ts";
import { findKnown } from "../facts/stand-ins.ts";
import { findTemplateTitle, isGenericTitle } from "../facts/template-titles.ts";
import { type Rule, cut, fail, pageHtml, partial, pass, htmlPart, wcag } from "../rule.ts";
import { UNREAD_HTML } from "./html-document.ts";

export const title: Rule = {
  id: "html.title",
  title: { fr: "Titre de la page", en: "Page title" },
  measures: {
    fr: "La page a un seul titre, qui n'est ni vide, ni celui d'un modèle de projet, ni un mot qui conviendrait à n'importe quelle page. Avec plusieurs titres, la règle rapporte la moitié des points.",
    en: "The page has one title, which is neither empty, nor a project template's, nor a word that would suit any page. Several titles earn half the points.",
  },
  why: {
    fr: "Le titre est le nom de la page dans l'onglet, les favoris et les résultats de recherche.",
    en: "The title is the page's name in the tab, the bookmarks and the search results.",
  },
  fix: {
    fr: "Indiquez dans <title> le sujet de la page, puis le nom du site.",
    en: "State the subject of the page in <title>, then the name of the site.",
  },
  standard: wcag("2.4.2", "page-titled"),
  parents: pageHtml,
  judge(evidence) {
    const html = findHead(evidence);
    if (!html) return UNREAD_HTML;
    if (html.titleCount === 0)
      return fail({ fr: "La page n'a pas de titre.", en: "The page has no title." });
    const words = (html.title ?? "").trim();
    if (words === "") return fail({ fr: "Le titre est vide.", en: "The title is empty." });
    const shown = cut(words, 150);
    const { hostname } = pageUrl(evidence);
    if (isGenericTitle(words, hostname))
      return fail({
        fr: `Le titre « ${shown} » ne dit rien de la page.`,
        en: `The title “${shown}” says nothing about the page.`,
      });
    const template = findTemplateTitle(words, hostname);
    if (template)
      return fail({
        fr: `« ${shown} » est le titre d'un modèle de projet (${template.product}).`,
        en: `“${shown}” is the title of a project template (${template.product}).`,
      });
    if (html.titleCount > 1)
      return partial(
        "several",
        {
          fr: `La page a ${html.titleCount} éléments title, dont le premier est « ${shown} ».`,
          en: `The page has ${html.titleCount} title elements, the first of which is “${shown}”.`,
        },
        { fr: "Ne conservez qu'un seul élément title.", en: "Keep only one title element." },
      );
    return pass({ fr: `Titre : « ${shown} ».`, en: `Title: “${shown}”.` });
  },
};

export const description: Rule = {
  id: "html.description",
  title: { fr: "Description de la page", en: "Page description" },
  measures: {
    fr: "La page a une balise meta description, qui n'est ni vide ni celle d'un modèle de projet.",
    en: "The page has a meta description tag that is neither empty nor a project template's.",
  },
  why: {
    fr: "Les moteurs de recherche affichent la description comme extrait. Sans elle, ils composent un extrait à partir de la page.",
    en: "Search engines show the description as the excerpt. Without it, they put together an excerpt from the page.",
  },
  fix: {
    fr: 'Résumez la page en une ou deux phrases dans <meta name="description">.',
    en: 'Summarize the page in one or two sentences in <meta name="description">.',
  },
  standard: htmlPart("standard metadata names", "semantics", "meta-description"),
  parents: pageHtml,
  judge(evidence) {
    const metas = pageMetas(evidence, "description");
    const filled = metas.find(({ content }) => content.trim() !== "");
    if (filled) {
      const { content, line } = filled;
      const shown = cut(content, 150);
      const template = findKnown("description", content);
      if (template)
        return fail({
          fr: `« ${shown} » (ligne ${line}) est la description d'un modèle de projet (${template.product}).`,
          en: `“${shown}” (line ${line}) is the description of a project template (${template.product}).`,
        });
      return pass({
        fr: `Description : « ${shown} » (${describeCount(content.length, "fr")} caractères).`,
        en: `Description: “${shown}” (${describeCount(content.length, "en")} characters).`,
      });
    }
    if (!findHead(evidence)) return UNREAD_HTML;
    const [empty] = metas;
    return fail(
      empty
        ? {
            fr: `La balise meta description est vide (ligne ${empty.line}).`,
            en: `The meta description tag is empty (line ${empty.line}).`,
          }
        : {
            fr: "La page n'a pas de balise meta description.",
            en: "The page has no meta description tag.",
          },
    );
  },
};
