import { isDeploymentHost, isLocalHost } from "../hosts.ts";
import { findWholeHtml, metaContents, pageUrl } from "../page.ts";
import type { Evidence } from "../../probe/evidence.ts";
import type { Text } from "../../language.ts";
import {
  type Rule,
  cut,
  fail,
  notApplicable,
  pageHtml,
  partial,
  pass,
  text,
  verbatim,
} from "../rule.ts";
import { UNREAD_HTML } from "./html-document.ts";

const HOME = /^\/(?:index\.[a-z]+)?$/i;

/** What is wrong with a canonical address, as the end of a sentence; undefined when nothing is. */
function findFault(evidence: Evidence, canonical: string): Text | undefined {
  if (!URL.canParse(canonical))
    return text("n'est pas une adresse absolue", "is not an absolute address");
  const url = new URL(canonical);
  const page = pageUrl(evidence);
  const ownHosts = [page.hostname, new URL(evidence.url).hostname];
  if (url.protocol !== "https:") return text("n'est pas en https", "is not https");
  const isOwn = ownHosts.includes(url.hostname);
  if (!isOwn && isLocalHost(url.hostname))
    return text("est une adresse locale", "is a local address");
  if (!isOwn && isDeploymentHost(url.hostname))
    return text("est celle d'un aperçu", "is that of a preview");
  if (HOME.test(url.pathname) && url.search === "" && !HOME.test(page.pathname))
    return text(
      "est l'accueil, alors que la page ne l'est pas",
      "is the home page, which this page is not",
    );
  return undefined;
}

export const canonical: Rule = {
  id: "seo.canonical",
  title: text("Adresse canonique juste", "Right canonical address"),
  measures: text(
    "Au plus un lien canonique, absolu, en https, ni local, ni celui d'un aperçu, ni l'accueil depuis une autre page ; l'hôte même de la page n'est jamais fautif.",
    "At most one canonical link, absolute, https, neither local nor a preview's, nor the home page from another page; the page's own host is never wrong.",
  ),
  matters: text(
    "Les moteurs de recherche indexent l'adresse canonique à la place de la page.",
    "Search engines index the canonical address in place of the page.",
  ),
  fix: text(
    'Donnez l\'adresse publique de la page : <link rel="canonical" href="https://…">',
    'Give the page\'s public address: <link rel="canonical" href="https://…">',
  ),
  standard: { name: "RFC 6596", url: "https://www.rfc-editor.org/rfc/rfc6596" },
  parents: pageHtml,
  judge(evidence) {
    const html = evidence.page.body?.html;
    if (!html) return UNREAD_HTML;
    const [first, second] = html.canonicals;
    if (first && second) {
      const shown = cut(html.canonicals.map(({ url }) => url).join(", "), 200);
      return fail(
        text(`Plusieurs liens canoniques : ${shown}.`, `Several canonical links: ${shown}.`),
      );
    }
    const fault = first && findFault(evidence, first.url);
    const shown = cut(first?.url ?? "", 200);
    if (fault)
      return fail(
        text(
          `L'adresse canonique ${shown} ${fault.fr}.`,
          `The canonical address ${shown} ${fault.en}.`,
        ),
      );
    if (!findWholeHtml(evidence)) return UNREAD_HTML;
    if (!first) return notApplicable(text("Aucun lien canonique.", "No canonical link."));
    return pass(text(`Adresse canonique : ${shown}.`, `Canonical address: ${shown}.`));
  },
};

const CARD_PARTS = ["og:title", "og:description", "og:image"];

function isCardPart(name: string, content: string): boolean {
  if (name !== "og:image") return content.trim() !== "";
  return /^https?:\/\//i.test(content.trim()) && URL.canParse(content.trim());
}

export const social: Rule = {
  id: "seo.social",
  title: text("Carte de partage", "Sharing card"),
  measures: text(
    "og:title, og:description et og:image (en adresse absolue) ; deux sur trois valent la moitié.",
    "og:title, og:description and og:image (as an absolute address); two of three are worth half.",
  ),
  matters: text(
    "Partagé dans une messagerie ou un réseau, le lien n'a ni titre choisi ni image.",
    "Shared in a chat or on a network, the link has no chosen title and no image.",
  ),
  fix: text(
    'Ajoutez ce qui manque, par exemple : <meta property="og:image" content="https://…/carte.png">',
    'Add what is missing, for instance: <meta property="og:image" content="https://…/card.png">',
  ),
  standard: { name: "Open Graph", url: "https://ogp.me/#metadata" },
  parents: pageHtml,
  judge(evidence) {
    const found = CARD_PARTS.filter((name) =>
      metaContents(evidence, name).some((content) => isCardPart(name, content)),
    );
    if (found.length === CARD_PARTS.length) {
      const shown = cut(
        CARD_PARTS.map((name) => `${name} = ${metaContents(evidence, name)[0]}`).join(", "),
        250,
      );
      return pass(verbatim(shown));
    }
    if (!findWholeHtml(evidence)) return UNREAD_HTML;
    const missing = CARD_PARTS.filter((name) => !found.includes(name)).join(", ");
    const seen = text(`Absent ou inutilisable : ${missing}.`, `Missing or unusable: ${missing}.`);
    return found.length === 2 ? partial("two_of_three", seen) : fail(seen);
  },
};
