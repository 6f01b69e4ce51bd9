import { findWholeHtml, metaContents } from "../page.ts";
import { type Rule, cut, fail, pageHtml, partial, pass, text, verbatim } from "../rule.ts";
import { UNREAD_HTML } from "./html-document.ts";

const PLACEHOLDERS = new Set(
  [
    "angular",
    "app",
    "astro",
    "astro basics",
    "create next app",
    "document",
    "home page",
    "index",
    "localhost",
    "my app",
    "myapp",
    "new page",
    "next.js",
    "nuxt",
    "nuxt app",
    "page title",
    "preact app",
    "react app",
    "react router app",
    "remix app",
    "new remix app",
    "sans titre",
    "solid app",
    "svelte app",
    "sveltekit",
    "tanstack start starter",
    "title",
    "undefined",
    "untitled",
    "untitled document",
    "vite app",
    "vite + react",
    "vite + react + ts",
    "vite + svelte",
    "vite + svelte + ts",
    "vite + vue",
    "vite + vue + ts",
    "vue app",
    "welcome to nuxt!",
    "your title here",
  ].map((title) => title.toLowerCase()),
);

export const title: Rule = {
  id: "html.title",
  title: text("Titre de la page", "Title of the page"),
  measures: text(
    "Un seul titre, non vide, qui n'est pas celui d'un modèle de projet ; plusieurs valent la moitié.",
    "One title, not empty, and not that of a project template; several are worth half.",
  ),
  matters: text(
    "C'est le nom de la page dans l'onglet, les favoris et les résultats de recherche.",
    "It is the page's name in the tab, the bookmarks and the search results.",
  ),
  fix: text(
    "Donnez à la page un titre à elle : <title>Sujet de la page – Nom du site</title>",
    "Give the page a title of its own: <title>Subject of the page – Name of the site</title>",
  ),
  standard: { name: "WCAG 2.2, 2.4.2", url: "https://www.w3.org/TR/WCAG22/#page-titled" },
  parents: pageHtml,
  judge(evidence) {
    const html = findWholeHtml(evidence);
    if (!html) return UNREAD_HTML;
    if (html.titleCount === 0) return fail(text("Aucun titre.", "No title."));
    const words = (html.title ?? "").trim();
    if (words === "") return fail(text("Le titre est vide.", "The title is empty."));
    const shown = cut(words, 150);
    if (PLACEHOLDERS.has(words.toLowerCase()))
      return fail(
        text(
          `« ${shown} » est le titre d'un modèle de projet.`,
          `“${shown}” is the title of a project template.`,
        ),
      );
    if (html.titleCount > 1)
      return partial(
        "several",
        text(
          `${html.titleCount} éléments title, dont le premier est « ${shown} ».`,
          `${html.titleCount} title elements, the first of which is “${shown}”.`,
        ),
        text("Ne gardez qu'un seul élément title.", "Keep one title element only."),
      );
    return pass(text(`Titre : « ${shown} ».`, `Title: “${shown}”.`));
  },
};

export const description: Rule = {
  id: "html.description",
  title: text("Description de la page", "Description of the page"),
  measures: text("Une meta description non vide.", "A meta description that is not empty."),
  matters: text(
    "Sans elle, les moteurs de recherche composent leur extrait de bribes de la page.",
    "Without it, search engines make up their excerpt from scraps of the page.",
  ),
  fix: text(
    'Résumez la page en une ou deux phrases : <meta name="description" content="…">',
    'Sum the page up in a sentence or two: <meta name="description" content="…">',
  ),
  standard: {
    name: "HTML, 4.2.5.1",
    url: "https://html.spec.whatwg.org/multipage/semantics.html#meta-description",
  },
  parents: pageHtml,
  judge(evidence) {
    const words = metaContents(evidence, "description").find((content) => content.trim() !== "");
    if (words !== undefined) {
      const shown = cut(words, 150);
      return pass(
        text(
          `« ${shown} » (${words.length} caractères).`,
          `“${shown}” (${words.length} characters).`,
        ),
      );
    }
    if (!findWholeHtml(evidence)) return UNREAD_HTML;
    return fail(text("Aucune description.", "No description."));
  },
};

const MIN_MAXIMUM_SCALE = 2;

/** The pairs of a viewport meta, lower-cased (CSS Viewport, 4). */
function readViewport(content: string): Map<string, string> {
  const pairs = content
    .toLowerCase()
    .replaceAll(/\s*=\s*/g, "=")
    .split(/[,;\s]+/)
    .map((pair): [string, string] => {
      const [name = "", value = ""] = pair.split("=");
      return [name, value];
    });
  return new Map(pairs);
}

function disablesZoom(viewport: ReadonlyMap<string, string>): boolean {
  const scalable = viewport.get("user-scalable");
  const maximum = Number.parseFloat(viewport.get("maximum-scale") ?? "");
  return scalable === "no" || scalable === "0" || (maximum >= 0 && maximum < MIN_MAXIMUM_SCALE);
}

export const viewport: Rule = {
  id: "html.viewport",
  title: text("Affichage sur téléphone", "Display on phones"),
  measures: text(
    "La meta viewport a width=device-width et laisse agrandir la page d'au moins deux fois ; sans agrandissement, la moitié.",
    "The viewport meta has width=device-width and lets the page be zoomed at least twofold; without zoom, half.",
  ),
  matters: text(
    "Sur un téléphone, la page est minuscule, ou ne peut pas être agrandie par qui voit mal.",
    "On a phone the page is tiny, or cannot be enlarged by those who see poorly.",
  ),
  fix: text(
    'Écrivez : <meta name="viewport" content="width=device-width, initial-scale=1">',
    'Write: <meta name="viewport" content="width=device-width, initial-scale=1">',
  ),
  standard: { name: "WCAG 2.2, 1.4.4", url: "https://www.w3.org/TR/WCAG22/#resize-text" },
  parents: pageHtml,
  judge(evidence) {
    const content = metaContents(evidence, "viewport").at(-1);
    if (!findWholeHtml(evidence)) return UNREAD_HTML;
    if (content === undefined) return fail(text("Aucune meta viewport.", "No viewport meta."));
    const pairs = readViewport(content);
    const shown = `<meta name="viewport" content="${cut(content, 120)}">`;
    if (pairs.get("width") !== "device-width") return fail(verbatim(shown));
    return disablesZoom(pairs)
      ? partial(
          "no_zoom",
          text(
            `${shown} empêche d'agrandir la page.`,
            `${shown} keeps the page from being zoomed.`,
          ),
        )
      : pass(verbatim(shown));
  },
};
