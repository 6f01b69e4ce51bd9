import type { Evidence } from "../../evidence/evidence.ts";
import type { Link } from "../../evidence/html.ts";
import type { Language, Text } from "../../../../shared/language.ts";
import { findUrl } from "../../../base/syntax/url.ts";
import { listCanonicals } from "../facts/canonicals.ts";
import { pageMetas } from "../facts/metas.ts";
import {
  findHostRelation,
  isCertainStaging,
  isHomePath,
  type HostRelation,
} from "../facts/host-relations.ts";
import { findPlatform } from "../facts/platforms.ts";
import { findHead, getAnswer, pageUrl } from "../../evidence/accessors.ts";
import {
  type Judgement,
  type Rule,
  cut,
  fail,
  followFix,
  notApplicable,
  pageHtml,
  partial,
  pass,
  sameText,
  rfc,
  writeText,
} from "../rule.ts";
import { UNREAD_HTML } from "./html-document.ts";

/** A URL that the page declares as its own, as that of another version, or as that of a part of its site. */
interface Statement {
  readonly by: Text;
  readonly url: string;
  readonly relation: HostRelation;
}

const BY = {
  base: sameText("<base>"),
  og: sameText("og:url"),
  hreflang: sameText("hreflang"),
  json_ld: sameText("JSON-LD"),
  json_ld_part: sameText("JSON-LD"),
  sitemap: { fr: "sitemap", en: "sitemap" },
};

function listStatements(evidence: Evidence): Statement[][] {
  const { stated = [], base } = evidence.page.body?.html ?? {};
  const state = (by: keyof typeof BY, urls: readonly string[]): Statement[] =>
    urls.flatMap((url) => {
      const { protocol = "", hostname = "" } = findUrl(url.trim()) ?? {};
      if (!/^https?:$/.test(protocol)) return [];
      return [{ by: BY[by], url, relation: findHostRelation(evidence, hostname) }];
    });
  const listed = (by: "hreflang" | "json_ld" | "json_ld_part") =>
    state(
      by,
      stated.filter((one) => one.by === by).map(({ url }) => url),
    );
  return [
    state("base", base ? [base.url] : []).filter(({ relation }) => relation !== "other"),
    state(
      "og",
      pageMetas(evidence, "og:url").map(({ content }) => content),
    ),
    listed("hreflang"),
    listed("json_ld"),
    listed("json_ld_part").filter(({ relation }) => relation !== "other"),
    state("sitemap", evidence.sitemap?.origins ?? []),
  ];
}

/**
 * A URL of another site counts only if a home page, or its sitemap, declares no URL of the site itself. Any other page
 * may be a copy, or may have versions and parts elsewhere.
 */
function findMisstated(evidence: Evidence): Statement[] {
  const isHome = isHomePath(pageUrl(evidence).pathname);
  return listStatements(evidence).flatMap((statements) => {
    const isForeign = isHome && statements.every(({ relation }) => relation === "other");
    return statements.filter(
      ({ relation }) => relation !== "own" && (relation !== "other" || isForeign),
    );
  });
}

/**
 * A menu may link to these paths on a host that is named like staging, such as a developer portal or the product
 * itself.
 */
const OTHER_THAN_PAGES =
  /^\/(?:docs?|api|reference|guides?|sdk|tutorials?|learn|changelog|console|portal|community|forum|log-?in|sign-?(?:in|up)|register|app|dashboard|account|start|download)(?:[/.]|$)/i;

/** Returns all links if the page has no menu. */
function listMenu(evidence: Evidence): (Link & { readonly to: HostRelation })[] {
  const { links = [] } = evidence.page.body?.html ?? {};
  const menu = links.some(({ isMenu }) => isMenu) ? links.filter(({ isMenu }) => isMenu) : links;
  return menu.flatMap((link) => {
    const { hostname = "", pathname = "" } = findUrl(link.url) ?? {};
    const to = findHostRelation(evidence, hostname);
    return to === "other" || OTHER_THAN_PAGES.test(pathname) ? [] : [{ ...link, to }];
  });
}

const MIN_STAGED_LINKS = 2;

const ELSEWHERE_FIX = {
  fr: "Corrigez l'URL publique du site dans le réglage dont dépendent ces URL (WordPress : siteurl et home ; Next.js : metadataBase ; Astro : site ; Hugo : baseURL).",
  en: "Set the site's public URL where these URLs come from (WordPress: siteurl and home; Next.js: metadataBase; Astro: site; Hugo: baseURL).",
};

/** GitHub redirects such a name to the site's own domain, if both are of one repository. */
function mayLeadBack(evidence: Evidence, hostname: string): boolean {
  const platform = findPlatform(getAnswer(evidence).headers)?.name;
  return hostname.endsWith(".github.io") && platform === "GitHub Pages";
}

/** Search engines index the canonical URL in place of the page. */
function judgeCanonical(evidence: Evidence): Judgement | undefined {
  const { pathname, hostname } = pageUrl(evidence);
  const [first] = listCanonicals(evidence);
  const url = first && findUrl(first.url);
  const relation = url && findHostRelation(evidence, url.hostname);
  if (!isHomePath(pathname) || (relation !== "other" && relation !== "private")) return undefined;
  const shown = cut(first?.url ?? "", 200);
  const found = {
    fr: `L'URL canonique de l'accueil de ${hostname} n'est pas sur ce site : ${shown}.`,
    en: `The canonical URL of the home page of ${hostname} is not on this site: ${shown}.`,
  };
  return mayLeadBack(evidence, url?.hostname ?? "")
    ? partial("elsewhere", found, ELSEWHERE_FIX)
    : fail(found, ELSEWHERE_FIX);
}

function judgeMenu(evidence: Evidence): Judgement | undefined {
  const menu = listMenu(evidence);
  const staged = menu.filter(({ to }) => to !== "own");
  const [first] = staged;
  if (!first) return undefined;
  const shown = cut(first.url, 150);
  const found = {
    fr: `Liens du menu qui mènent hors du site : ${staged.length} sur ${menu.length}, dont ${shown} (ligne ${first.line}).`,
    en: `Menu links that lead away from the site: ${staged.length} of ${menu.length}, including ${shown} (line ${first.line}).`,
  };
  const isAll = staged.length >= MIN_STAGED_LINKS && staged.length * 2 >= menu.length;
  if (isAll && isHomePath(pageUrl(evidence).pathname)) return fail(found, ELSEWHERE_FIX);
  const isSure = ({ url, isMenu }: Link): boolean =>
    isMenu && isCertainStaging(evidence, findUrl(url)?.hostname ?? "");
  return isAll || staged.some(isSure) ? partial("elsewhere", found, ELSEWHERE_FIX) : undefined;
}

function judgeStatements(evidence: Evidence): Judgement | undefined {
  const misstated = findMisstated(evidence);
  const list = (language: Language) =>
    cut(misstated.map(({ by, url }) => `${by[language]} ${cut(url, 120)}`).join(", "), 250);
  if (misstated.length === 0) return undefined;
  return partial(
    "elsewhere",
    {
      fr: `URL qui sont celles d'une préproduction, d'une machine de développement ou d'un autre site : ${list("fr")}.`,
      en: `URLs that belong to a staging site, a developer's machine or another site: ${list("en")}.`,
    },
    ELSEWHERE_FIX,
  );
}

function judgeJsonLd(evidence: Evidence): Judgement | undefined {
  const line = evidence.page.body?.html?.badJsonLdLine ?? null;
  if (line === null) return undefined;
  return partial(
    "json_ld",
    {
      fr: `Le JSON-LD de la ligne ${line} n'est pas du JSON valide : les moteurs de recherche ne peuvent pas le lire.`,
      en: `The JSON-LD on line ${line} is not valid JSON: search engines cannot read it.`,
    },
    {
      fr: "Corrigez ce JSON : souvent, il y a une virgule de trop, ou il manque une barre oblique inverse devant un guillemet ou un retour à la ligne.",
      en: "Correct this JSON: often there is an extra comma, or a backslash is missing before a quote or a line break.",
    },
  );
}

/** Several halves cost one half. */
function joinHalves([first, ...others]: readonly Judgement[]): Judgement | undefined {
  if (!first) return undefined;
  const all = [first, ...others];
  const fixes = [...new Set(all.flatMap(({ fix }) => fix ?? []))];
  const found = writeText((language) => all.map((one) => one.found[language]).join(" "));
  return { ...first, found, fix: fixes.reduce((fix, next) => followFix(fix, next)) };
}

export const identity: Rule = {
  id: "seo.identity",
  title: {
    fr: "URL que le site déclare comme siennes",
    en: "URLs that the site declares as its own",
  },
  measures: {
    fr: "L'URL canonique de l'accueil n'est ni celle d'un autre site ni celle d'une machine de développement. Son menu ne mène ni à une préproduction (staging., *.vercel.app…) ni à une machine de développement. Si <base>, og:url, hreflang, JSON-LD ou le sitemap contient une telle URL, ou si le JSON-LD est illisible, la règle rapporte la moitié des points. Il en va de même, sur GitHub Pages, d'une URL canonique en *.github.io, que GitHub redirige peut-être vers ce site. Un aperçu (preview) n'est pas évalué.",
    en: "The home page's canonical URL is not that of another site or of a developer's machine. Its menu leads neither to staging (staging., *.vercel.app…) nor to a developer's machine. If <base>, og:url, hreflang, JSON-LD or the sitemap contains such a URL, or the JSON-LD cannot be read, the rule earns half the points. So does, on GitHub Pages, a canonical URL at *.github.io, which GitHub may redirect to this site. A preview is not assessed.",
  },
  why: {
    fr: "Les moteurs de recherche et les visiteurs sont envoyés hors de ce site, ou les moteurs ne peuvent pas lire ce qu'il déclare sur lui-même.",
    en: "Search engines and visitors are sent away from this site, or search engines cannot read what it states about itself.",
  },
  fix: ELSEWHERE_FIX,
  standard: rfc(6596, "3"),
  capReason: {
    fr: "L'accueil envoie les moteurs de recherche ou les visiteurs hors de ce site.",
    en: "The home page sends search engines or visitors away from this site.",
  },
  parents: pageHtml,
  judge(evidence) {
    if (evidence.preview)
      return notApplicable({
        fr: "C'est un aperçu : ses URL peuvent être celles de la production.",
        en: "This is a preview: its URLs may be those of production.",
      });
    const found = [judgeCanonical, judgeMenu, judgeStatements, judgeJsonLd].flatMap(
      (judge) => judge(evidence) ?? [],
    );
    const worst = found.find(({ status }) => status === "fail") ?? joinHalves(found);
    if (worst) return worst;
    if (!findHead(evidence)) return UNREAD_HTML;
    return pass({
      fr: "Les URL que la page déclare sont celles de ce site.",
      en: "The URLs that the page declares are those of this site.",
    });
  },
};
