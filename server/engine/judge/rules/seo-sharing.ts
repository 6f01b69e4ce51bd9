import { type Canonical, listCanonicals } from "../facts/canonicals.ts";
import { isDeploymentHost, isLeftoverHost, isPlainHost } from "../facts/hosts.ts";
import { findHostRelation, isHomePath, isRoot } from "../facts/host-relations.ts";
import { isImageMissing, judgeImages } from "../facts/card-image.ts";
import { isPrivateHost } from "../../../base/syntax/private-hosts.ts";
import { metaContents } from "../facts/metas.ts";
import { findKnown } from "../facts/stand-ins.ts";
import { findTemplateTitle } from "../facts/template-titles.ts";
import { findHead, ownHosts, pageUrl, urlOf } from "../../evidence/accessors.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { findUrl } from "../../../base/syntax/url.ts";
import type { Language, Text } from "../../../../shared/language.ts";
import {
  addLine,
  type Fix,
  type Rule,
  cut,
  fail,
  notApplicable,
  pageHtml,
  partial,
  pass,
  verbatim,
  rfc,
} from "../rule.ts";
import { UNREAD_HTML } from "./html-document.ts";

/** A page that links to no other page of the site counts as a home page. */
function isHome(evidence: Evidence, page: URL): boolean {
  if (isHomePath(page.pathname)) return true;
  const { links = [], linkCount = 0 } = evidence.page.body?.html ?? {};
  const hosts = ownHosts(evidence);
  const isOther = ({ url }: { url: string }): boolean => {
    const { hostname, pathname } = urlOf(url);
    return hosts.includes(hostname) && pathname !== page.pathname && !isRoot(pathname);
  };
  return links.length === linkCount && !links.some(isOther);
}

/** Browsers and search engines resolve a relative URL in the page against its base. */
function resolveCanonical(evidence: Evidence, { url, line }: Canonical): URL | undefined {
  const base = line === null ? undefined : evidence.page.body?.html?.base?.url;
  return findUrl(url, findUrl(base ?? "", pageUrl(evidence)) ?? pageUrl(evidence));
}

/** Returns the end of a sentence. */
function findFault(evidence: Evidence, canonical: Canonical): Text | undefined {
  if (canonical.url === "") return { fr: "est vide", en: "is empty" };
  const absolute = findUrl(canonical.url);
  const url = absolute ?? resolveCanonical(evidence, canonical);
  if (!url) return { fr: "n'est pas une URL valide", en: "is not a valid URL" };
  const page = pageUrl(evidence);
  if (url.protocol !== "https:") return { fr: "n'utilise pas https", en: "does not use https" };
  const relation = evidence.preview ? "own" : findHostRelation(evidence, url.hostname);
  if (relation === "private") return { fr: "est privée", en: "is private" };
  if (relation === "staging")
    return {
      fr: "est celle d'un aperçu ou d'une préproduction",
      en: "belongs to a preview or to staging",
    };
  const isToHome = isRoot(url.pathname) && url.search === "";
  if (isToHome && !isAmp(evidence) && !isHome(evidence, page))
    return {
      fr: "est celle de l'accueil, et non celle de cette page",
      en: "is the URL of the home page, not of this page",
    };
  return absolute ? undefined : RELATIVE;
}

/** RFC 6596, 3 allows a relative URL. Search engines recommend an absolute one. */
const RELATIVE = {
  fr: "est relative, alors qu'une URL absolue est recommandée",
  en: "is relative; an absolute URL is recommended",
};

/** An AMP page is another form of the page at its canonical URL, which may be the home page. */
const isAmp = ({ page }: Evidence) => page.body?.html?.isAmp === true;

function locate({ line }: Canonical, word: string): string {
  return line === null ? "Link" : `${word} ${line}`;
}

const CANONICAL_FIX = {
  fr: 'Indiquez l\'URL publique de la page dans <link rel="canonical">.',
  en: 'State the page\'s public URL in <link rel="canonical">.',
};

/** Suggests a line only for a public URL without a query. */
function fixCanonical(evidence: Evidence, meant = pageUrl(evidence)): Fix {
  const { origin, hostname, pathname, search } = meant;
  const isPublic = !isPrivateHost(hostname) && !isDeploymentHost(hostname);
  const isCopy = isAmp(evidence) && meant.href === pageUrl(evidence).href;
  if (evidence.preview || isCopy || !isPublic || !isPlainHost(hostname) || search !== "")
    return CANONICAL_FIX;
  const line = `<link rel="canonical" href="${origin}${pathname.replaceAll("&", "&amp;")}">`;
  return addLine(
    {
      fr: 'Indiquez l\'URL publique de la page, sans doute celle-ci, dans <link rel="canonical">.',
      en: 'State the page\'s public URL, most likely this one, in <link rel="canonical">.',
    },
    line,
    CANONICAL_FIX,
  );
}

export const canonical: Rule = {
  id: "seo.canonical",
  title: { fr: "URL canonique", en: "Canonical URL" },
  measures: {
    fr: "La page a au plus une URL canonique : absolue, en https, ni privée, ni celle d'un aperçu, ni celle de l'accueil sur une autre page (sauf d'une page AMP). L'hôte de la page elle-même est toujours admis.",
    en: "The page has at most one canonical URL: absolute, https, not private, not a preview's, and not the home page's on another page (unless it is an AMP page). The page's own host is always accepted.",
  },
  why: {
    fr: "L'URL canonique indique aux moteurs de recherche sous quelle URL présenter la page.",
    en: "The canonical URL tells search engines under which URL to list the page.",
  },
  fix: CANONICAL_FIX,
  standard: rfc(6596),
  parents: pageHtml,
  judge(evidence) {
    if (!evidence.page.body?.html) return UNREAD_HTML;
    const canonicals = listCanonicals(evidence);
    const [first, ...others] = canonicals;
    if (first && others.some(({ url }) => url !== first.url)) {
      const shown = (word: string) =>
        cut(canonicals.map((one) => `${one.url} (${locate(one, word)})`).join(", "), 250);
      return fail(
        {
          fr: `Plusieurs URL canoniques : ${shown("ligne")}.`,
          en: `Several canonical URLs: ${shown("line")}.`,
        },
        { fr: "N'en conservez qu'une.", en: "Keep only one of them." },
      );
    }
    const fault = first && findFault(evidence, first);
    const shown = cut(first?.url ?? "", 200);
    if (fault)
      return fail(
        {
          fr: `L'URL canonique « ${shown} » (${locate(first, "ligne")}) ${fault.fr}.`,
          en: `The canonical URL “${shown}” (${locate(first, "line")}) ${fault.en}.`,
        },
        fixCanonical(evidence, fault === RELATIVE ? resolveCanonical(evidence, first) : undefined),
      );
    if (!findHead(evidence)) return UNREAD_HTML;
    if (!first)
      return notApplicable({
        fr: "Aucun lien canonique, ni dans la page ni dans un en-tête Link.",
        en: "No canonical link in the page or in a Link header.",
      });
    return pass({ fr: `URL canonique : ${shown}.`, en: `Canonical URL: ${shown}.` });
  },
};

const CARD_PARTS = ["og:title", "og:description", "og:image"];

function findImageUrl(content: string): URL | undefined {
  return /^https?:\/\//i.test(content.trim()) ? findUrl(content.trim()) : undefined;
}

/** The page's own host never counts, because it is as public as the page. */
function isLeftoverImage(evidence: Evidence, content: string): boolean {
  const hostname = findImageUrl(content)?.hostname;
  if (hostname === undefined || ownHosts(evidence).includes(hostname)) return false;
  return isPrivateHost(hostname) || isLeftoverHost(hostname, ownHosts(evidence));
}

function isTemplate(evidence: Evidence, part: string, content: string): boolean {
  if (part === "og:image") return findKnown("image", content) !== undefined;
  if (part === "og:description") return findKnown("description", content) !== undefined;
  return findTemplateTitle(content, pageUrl(evidence).hostname) !== undefined;
}

function cardContents(evidence: Evidence, part: string): string[] {
  const contents = metaContents(evidence, part);
  return part === "og:image" ? [...contents, ...metaContents(evidence, "og:image:url")] : contents;
}

function findUsable(evidence: Evidence, part: string): string | undefined {
  return cardContents(evidence, part).find((content) => {
    if (isTemplate(evidence, part, content)) return false;
    return part === "og:image"
      ? findImageUrl(content) !== undefined && !isLeftoverImage(evidence, content)
      : content.trim() !== "";
  });
}

/** Why the content of a part of the card is of no use. */
function findCardFault(evidence: Evidence, part: string, content: string): Text | undefined {
  if (content.trim() === "") return { fr: "vide", en: "empty" };
  if (isTemplate(evidence, part, content))
    return { fr: "celui d'un modèle de projet", en: "from a project template" };
  if (part !== "og:image") return undefined;
  if (!findImageUrl(content)) return { fr: "pas une URL absolue", en: "not an absolute URL" };
  return isLeftoverImage(evidence, content)
    ? { fr: "hôte privé ou d'un aperçu", en: "a private or preview host" }
    : undefined;
}

function describeMissing(
  evidence: Evidence,
  missing: readonly string[],
  language: Language,
): string {
  const parts = missing.map((part) => {
    const content = cardContents(evidence, part)[0];
    if (content === undefined) return part;
    const fault = findCardFault(evidence, part, content);
    return `${part} = "${cut(content, 120)}"${fault ? ` (${fault[language]})` : ""}`;
  });
  return parts.join(", ");
}

/** The address that a browser would load for an image with a relative one. */
function findAbsolute(evidence: Evidence): URL | undefined {
  const [content = ""] = cardContents(evidence, "og:image").map((one) => one.trim());
  if (content === "" || findImageUrl(content)) return undefined;
  const url = findUrl(
    content,
    urlOf(evidence.page.body?.html?.base?.url ?? pageUrl(evidence).href),
  );
  return url?.protocol === "https:" && isPlainHost(url.hostname) ? url : undefined;
}

/** Gives the line only if the tag would otherwise be complete. */
function addAbsolute(fix: Fix, evidence: Evidence): Fix {
  const url = findAbsolute(evidence);
  if (!url) return fix;
  const line = `<meta property="og:image" content="${url.href.replaceAll("&", "&amp;")}">`;
  return addLine(
    {
      fr: `${fix.fr} Pour og:image, utilisez cette URL absolue, si c'est bien celle de l'image.`,
      en: `${fix.en} For og:image, use this absolute URL, if it is the one of the image.`,
    },
    line,
    fix,
  );
}

/** Only the site knows the values, so there is no line to paste. */
const CARD_CONTENTS: Record<string, Text> = {
  "og:title": { fr: "le sujet de la page", en: "the subject of the page" },
  "og:description": { fr: "la page en une phrase", en: "the page in one sentence" },
  "og:image": { fr: "l'URL absolue d'une image", en: "the absolute URL of an image" },
};

const LEFTOVER_FIX = {
  fr: "Corrigez l'URL publique du site dans le réglage dont dépend celle de l'image (Next.js : metadataBase).",
  en: "Set the site's public URL where the image's URL comes from (Next.js: metadataBase).",
};

const CARD_LEAD: Text = { fr: "Ajoutez à <head>", en: "Add to <head>" };

function fixCard(missing: readonly string[], language: Language): string {
  const tags = missing.map(
    (part) => `<meta property="${part}"> (${CARD_CONTENTS[part]?.[language]})`,
  );
  return `${CARD_LEAD[language]} ${tags.join(", ")}.`;
}

export const social: Rule = {
  id: "seo.social",
  title: { fr: "Carte de partage", en: "Sharing card" },
  measures: {
    fr: "La page a og:title, og:description et og:image (une URL absolue, ni privée ni d'un aperçu), qui ne sont pas ceux d'un modèle de projet. S'il n'y en a que deux, la règle rapporte la moitié des points. Il en va de même si une image (og:image, twitter:image) manque, pèse plus de 8 Mo, mesure moins de 200 × 200 pixels ou est un SVG.",
    en: "The page has og:title, og:description and og:image (an absolute URL, neither private nor a preview's). None of them comes from a project template. Two of the three earn half the points. So does an image (og:image, twitter:image) that is missing, weighs over 8 MB, measures less than 200 × 200 pixels or is an SVG.",
  },
  why: {
    fr: "S'il manque un élément, les messageries et les réseaux sociaux composent la carte eux-mêmes, ou n'affichent que le lien.",
    en: "If something is missing, messaging apps and social networks compose the card themselves, or show only the link.",
  },
  fix: {
    fr: 'Ajoutez à <head> les éléments <meta property="og:…"> qui manquent.',
    en: 'Add the missing <meta property="og:…"> elements to <head>.',
  },
  standard: { name: "Open Graph", url: "https://ogp.me/#metadata" },
  parents: pageHtml,
  judge(evidence) {
    const unusable = CARD_PARTS.filter((part) => findUsable(evidence, part) === undefined);
    if (unusable.length === 0) {
      const shown = CARD_PARTS.map((part) => `${part} = ${findUsable(evidence, part)}`);
      return judgeImages(evidence) ?? pass(verbatim(cut(shown.join(", "), 250)));
    }
    const missing = CARD_PARTS.filter(
      (part) => unusable.includes(part) || (part === "og:image" && isImageMissing(evidence)),
    );
    if (!findHead(evidence)) return UNREAD_HTML;
    const found = {
      fr: `Absent ou inutilisable : ${describeMissing(evidence, missing, "fr")}.`,
      en: `Missing or unusable: ${describeMissing(evidence, missing, "en")}.`,
    };
    const isLeftover =
      missing.includes("og:image") &&
      cardContents(evidence, "og:image").some((content) => isLeftoverImage(evidence, content));
    const fixIn = (language: Language): string =>
      isLeftover
        ? `${fixCard(missing, language)} ${LEFTOVER_FIX[language]}`
        : fixCard(missing, language);
    const fix = addAbsolute({ fr: fixIn("fr"), en: fixIn("en") }, evidence);
    return missing.length === 1 ? partial("two_of_three", found, fix) : fail(found, fix);
  },
};
