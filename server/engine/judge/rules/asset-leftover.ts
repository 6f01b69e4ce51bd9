import type { Html, Resource } from "../../evidence/html.ts";
import { urlOf, findWholeHtml, ownHosts, pageUrl } from "../../evidence/accessors.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import type { Text } from "../../../../shared/language.ts";
import { HTML_TYPE } from "../../../base/syntax/media-type.ts";
import { readContentType } from "../facts/content-type.ts";
import { listInFiles, type Reference, describeReferences } from "../facts/references.ts";
import { isDeploymentHost, isLeftoverHost, isPreviewLink } from "../facts/hosts.ts";
import { isReloader } from "../facts/script-hosts.ts";
import { isPrivateHost } from "../../../base/syntax/private-hosts.ts";
import { pageMetas } from "../facts/metas.ts";
import { type Rule, cut, fail, pageHtml, partial, pass, rfc } from "../rule.ts";
import { UNREAD_HTML } from "./html-document.ts";

/** URLs of development files of frameworks. Documentation names such files too, but as text. */
const BY_PATH: readonly RegExp[] = [
  /\.development(?:\.min)?\.js$/,
  /\.debug\.js$/,
  /\/vue(?:\.runtime)?\.(?:global|esm-browser|esm-bundler)\.js$/,
  /\/vue(?:@[^/]{1,40})?(?:\/dist)?\/vue(?:\.runtime)?\.js$/,
  /\/@tailwindcss\/browser(?:[@/]|$)/,
  /\/(?:dart_sdk|ddc_module_loader|main_module\.bootstrap)\.js$/,
  /\/_framework\/aspnetcore-browser-refresh\.js$/,
  /\/_vs\/browserLink$/i,
];
/**
 * For a URL that contains only the name of Vue, these CDNs send the development build. jsDelivr sends the minified file
 * beside it if there is one, which is Vue's production build up to version 2.
 */
const BARE: Readonly<Record<string, RegExp>> = {
  "unpkg.com": /^\/vue(?:@[^/]{1,40})?\/?$/,
  "cdn.jsdelivr.net": /^\/npm\/vue(?:@(?![~^<=v]{0,3}[0-2](?!\d))[^/]{1,40})?\/?$/,
};
/** Compilers that run in the browser. Editors use them too, to compile what the visitor types. */
const COMPILERS: Readonly<Record<Html["compilers"][number], RegExp>> = {
  babel: /\/(?:@babel\/standalone|babel-standalone)(?:[@/]|$)/,
  less: /\/less(?:@[^/]{1,40})?(?:\/dist)?\/less(?:\.min)?\.js$|^\/(?:npm\/)?less(?:@[^/]{1,40})?\/?$/,
};

function isDevelopmentBuild({ url, kind }: Resource, compilers: Html["compilers"]): boolean {
  if (kind !== "script" && kind !== "module") return false;
  const { hostname, pathname } = urlOf(url);
  return (
    hostname === "cdn.tailwindcss.com" ||
    BARE[hostname]?.test(pathname) === true ||
    compilers.some((name) => COMPILERS[name].test(pathname)) ||
    BY_PATH.some((pattern) => pattern.test(pathname))
  );
}

function isLeftover(
  url: string,
  hostClass: string,
  own: readonly string[],
  isDeployment: (host: string) => boolean,
) {
  if (/^file:/i.test(url)) return true;
  const { hostname } = urlOf(url);
  return !own.includes(hostname) && (hostClass === "private" || isDeployment(hostname));
}

/** A page may show files of these kinds from another site, such as a badge. */
const SHOWN_KINDS = ["image", "icon", "media", "frame"];
const CARD_IMAGES = ["og:image", "og:image:url"];

/** Hosts in meta tags are not resolved, so only the host name counts. */
function findCardLeftovers(evidence: Evidence, own: readonly string[]): Reference[] {
  const metas = CARD_IMAGES.flatMap((name) => pageMetas(evidence, name));
  return metas.flatMap(({ content, line }) => {
    const url = content.trim();
    const hostClass = isPrivateHost(urlOf(url).hostname) ? "private" : "public";
    const isOne = isLeftover(url, hostClass, own, (host) => isLeftoverHost(host, own));
    return isOne ? [{ url, tag: "meta", line }] : [];
  });
}

function findLeftovers(evidence: Evidence): Reference[] {
  const { resources = [], links = [], privateUrls = [] } = evidence.page.body?.html ?? {};
  const own = ownHosts(evidence);
  return [
    ...resources.filter(({ url, kind }) => kind === "script" && isReloader(urlOf(url))),
    ...resources.filter(({ url, hostClass, kind }) =>
      isLeftover(url, hostClass, own, (host) =>
        SHOWN_KINDS.includes(kind) ? isLeftoverHost(host, own) : isDeploymentHost(host),
      ),
    ),
    ...links
      .filter(({ url, hostClass }) => isLeftover(url, hostClass, own, isPreviewLink))
      .map((link) => ({ ...link, tag: "a" })),
    ...findCardLeftovers(evidence, own),
    ...[
      ...privateUrls.map((found) => ({ ...found, tag: "script" })),
      ...listInFiles(evidence, (file) => file.privateUrls),
    ].filter(({ url }) => !own.includes(urlOf(url).hostname)),
  ];
}

/** Development builds are larger, slower, or compile code in the visitor's browser. */
function findBuilds(evidence: Evidence): Reference[] {
  const { resources = [], compilers = [] } = evidence.page.body?.html ?? {};
  const named = resources.filter((resource) => isDevelopmentBuild(resource, compilers));
  const isIdle = (build: string) => build === "Babel" && !compilers.includes("babel");
  const read = evidence.assets.flatMap(({ file, ...asset }) =>
    file?.developmentBuild &&
    !isIdle(file.developmentBuild) &&
    !named.some(({ url }) => url === asset.url)
      ? [{ ...asset, answer: { fr: file.developmentBuild, en: file.developmentBuild } }]
      : [],
  );
  return [...named, ...read];
}

/** A public source map is a choice, not a fault. */
function noteSourceMap({ sourceMap }: Evidence): Text {
  const type = sourceMap ? readContentType(sourceMap.headers).essence : HTML_TYPE;
  if (sourceMap?.status !== 200 || type === HTML_TYPE) return { fr: "", en: "" };
  const shown = cut(sourceMap.url, 120);
  return {
    fr: ` Les sources sont publiques : ${shown}.`,
    en: ` The sources are public: ${shown}.`,
  };
}

/** Local Network Access: Chrome asks before a public page reaches a private address. A link may always lead there. */
function noteLocalAccess(evidence: Evidence, found: readonly Reference[]): Text {
  const isPrivate = (url: string) => isPrivateHost(urlOf(url).hostname);
  const isRequested = ({ url, tag }: Reference) =>
    tag !== "a" && tag !== "meta" && typeof url === "string" && isPrivate(url);
  if (isPrivate(pageUrl(evidence).href) || !found.some(isRequested)) return { fr: "", en: "" };
  return {
    fr: " Chrome demande d'abord au visiteur s'il autorise l'accès à son réseau local.",
    en: " Chrome first asks visitors to allow access to their local network.",
  };
}

const BUILDS = { fr: "Versions de développement", en: "Development builds" };
const BUILD_FIX = {
  fr: "Chargez la version de production (react.production.min.js, vue.global.prod.js), et compilez les styles et le code (Tailwind, Babel) avant le déploiement, et non dans le navigateur.",
  en: "Load the production build (react.production.min.js, vue.global.prod.js), and compile styles and code (Tailwind, Babel) before the deployment, not in the browser.",
};

export const leftovers: Rule = {
  id: "asset.leftover",
  title: {
    fr: "URL et versions de développement",
    en: "Development URLs and builds",
  },
  measures: {
    fr: "Les fichiers, les liens, l'image de partage et les requêtes des scripts du site (leurs 512 premiers Kio) ne contiennent aucune URL de développement : localhost, réseau privé, *.local, file: ou hôte d'aperçu. L'hôte de la page ne compte pas, pas plus qu'une image ou une iframe d'un site tiers. Si un script est, d'après son URL ou son texte, la version de développement d'une bibliothèque, la règle rapporte la moitié des points. Une source map publique est signalée et ne coûte aucun point.",
    en: "Files, links, the sharing image and requests in the site's scripts (their first 512 KiB) have no development URL: localhost, a private network, *.local, file: or a preview host. The page's own host does not count, nor does an image or frame from a third-party site. If a script's URL or text shows that it is a library's development build, the rule earns half the points. A public source map is reported, but costs no points.",
  },
  why: {
    fr: "Les visiteurs tombent sur une URL morte, sur une version de test ou sur du code lent, fait pour le développement.",
    en: "Visitors get a dead URL, a test version, or slow code made for development.",
  },
  fix: {
    fr: "Remplacez cette URL par l'URL publique, et corrigez le réglage qui l'a produite.",
    en: "Replace this URL with the public one, and correct the setting that produced it.",
  },
  standard: rfc(6761, "6.3"),
  parents: pageHtml,
  judge(evidence) {
    const found = findLeftovers(evidence);
    if (found.length > 0) {
      const { fr, en } = describeReferences(found, {
        fr: "URL de développement",
        en: "Development URLs",
      });
      const note = noteLocalAccess(evidence, found);
      return fail({ fr: `${fr}${note.fr}`, en: `${en}${note.en}` });
    }
    const builds = findBuilds(evidence);
    if (builds.length > 0)
      return partial("development_build", describeReferences(builds, BUILDS), BUILD_FIX);
    if (!findWholeHtml(evidence)) return UNREAD_HTML;
    const note = noteSourceMap(evidence);
    return pass({
      fr: `Aucune URL ni version de développement.${note.fr}`,
      en: `No development URL and no development build.${note.en}`,
    });
  },
};
