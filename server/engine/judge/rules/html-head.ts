import { pageMetas } from "../facts/metas.ts";
import { findHead, pageUrl } from "../../evidence/page.ts";
import { findKnown, isNameOfHost } from "../facts/stand-ins.ts";
import { type Rule, cut, fail, pageHtml, partial, pass } from "../rule.ts";
import { UNREAD_HTML } from "./html-document.ts";

/** Titles that would fit any page. */
const GENERIC_TITLES = new Set([
  "accueil",
  "angular",
  "app",
  "astro",
  "document",
  "example",
  "home",
  "home page",
  "homepage",
  "index",
  "inicio",
  "localhost",
  "my app",
  "my blog",
  "my store",
  "my website",
  "myapp",
  "new page",
  "next.js",
  "nuxt",
  "page title",
  "sans titre",
  "site title",
  "startseite",
  "sveltekit",
  "test",
  "test page",
  "title",
  "undefined",
  "untitled",
  "untitled document",
  "your company",
  "your site title",
  "your title here",
]);
export const title: Rule = {
  id: "html.title",
  title: { fr: "Titre de la page", en: "Title of the page" },
  measures: {
    fr: "Un seul titre, non vide, qui n'est ni celui d'un modèle de projet ni un mot qui irait à toute page ; plusieurs valent la moitié.",
    en: "One title, not empty, neither a project template's nor a word that would suit any page; several are worth half.",
  },
  matters: {
    fr: "C'est le nom de la page dans l'onglet, les favoris et les résultats de recherche.",
    en: "It is the page's name in the tab, the bookmarks and the search results.",
  },
  fix: {
    fr: "Donnez à la page un titre à elle : <title>Sujet de la page – Nom du site</title>",
    en: "Give the page a title of its own: <title>Subject of the page – Name of the site</title>",
  },
  standard: { name: "WCAG 2.2, 2.4.2", url: "https://www.w3.org/TR/WCAG22/#page-titled" },
  parents: pageHtml,
  judge(evidence) {
    const html = findHead(evidence);
    if (!html) return UNREAD_HTML;
    if (html.titleCount === 0) return fail({ fr: "Aucun titre.", en: "No title." });
    const words = (html.title ?? "").trim();
    if (words === "") return fail({ fr: "Le titre est vide.", en: "The title is empty." });
    const shown = cut(words, 150);
    const isOwnName = isNameOfHost(words, pageUrl(evidence).hostname);
    if (!isOwnName && GENERIC_TITLES.has(words.toLowerCase()))
      return fail({
        fr: `Le titre, « ${shown} », ne dit rien de la page.`,
        en: `The title, “${shown}”, says nothing about the page.`,
      });
    const template = isOwnName ? undefined : findKnown("title", words);
    if (template)
      return fail({
        fr: `« ${shown} » est le titre d'un modèle de projet (${template.product}).`,
        en: `“${shown}” is the title of a project template (${template.product}).`,
      });
    if (html.titleCount > 1)
      return partial(
        "several",
        {
          fr: `${html.titleCount} éléments title, dont le premier est « ${shown} ».`,
          en: `${html.titleCount} title elements, the first of which is “${shown}”.`,
        },
        { fr: "Ne gardez qu'un seul élément title.", en: "Keep only one title element." },
      );
    return pass({ fr: `Titre : « ${shown} ».`, en: `Title: “${shown}”.` });
  },
};

export const description: Rule = {
  id: "html.description",
  title: { fr: "Description de la page", en: "Description of the page" },
  measures: {
    fr: "Une meta description non vide, qui n'est pas celle d'un modèle de projet.",
    en: "A meta description that is not empty, and not that of a project template.",
  },
  matters: {
    fr: "Les moteurs de recherche la montrent comme extrait ; à défaut, ils en composent un de bribes de la page.",
    en: "Search engines show it as the excerpt; without one, they piece an excerpt together from the page.",
  },
  fix: {
    fr: 'Résumez la page en une ou deux phrases : <meta name="description" content="…">',
    en: 'Sum the page up in a sentence or two: <meta name="description" content="…">',
  },
  standard: {
    name: "HTML, 4.2.5.1",
    url: "https://html.spec.whatwg.org/multipage/semantics.html#meta-description",
  },
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
        fr: `« ${shown} » (${content.length} caractères).`,
        en: `“${shown}” (${content.length} characters).`,
      });
    }
    if (!findHead(evidence)) return UNREAD_HTML;
    const [empty] = metas;
    return fail(
      empty
        ? {
            fr: `La meta description est vide (ligne ${empty.line}).`,
            en: `The meta description is empty (line ${empty.line}).`,
          }
        : { fr: "Aucune meta description.", en: "No meta description." },
    );
  },
};
