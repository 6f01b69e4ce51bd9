import type { Evidence } from "../../evidence/evidence.ts";
import { findWholeHtml, ownHosts, urlOf } from "../../evidence/page.ts";
import { findDevelopmentBuilds } from "../facts/development-builds.ts";
import { isDeploymentHost, isLeftoverHost, isPreviewLink } from "../facts/hosts.ts";
import { isPrivateHost } from "../../../base/syntax/private-hosts.ts";
import { pageMetas } from "../facts/metas.ts";
import { type Reference, describeReferences } from "../facts/references.ts";
import { type Rule, fail, pageHtml, partial, pass } from "../rule.ts";
import { UNREAD_HTML } from "./html-document.ts";

function isLeftover(
  url: string,
  place: string,
  own: readonly string[],
  isDeployment: (host: string) => boolean,
) {
  if (/^file:/i.test(url)) return true;
  const { hostname } = urlOf(url);
  return !own.includes(hostname) && (place === "private" || isDeployment(hostname));
}

/** What a page may rightly show from somebody else's site, such as a badge. */
const SHOWN_KINDS = ["image", "icon", "media", "frame"];
const CARD_IMAGES = ["og:image", "og:image:url"];

/** Sharing card images on such hosts. Hosts named by metas are not looked up, so only the name is judged. */
function findCardLeftovers(evidence: Evidence, own: readonly string[]): Reference[] {
  const metas = CARD_IMAGES.flatMap((name) => pageMetas(evidence, name));
  return metas.flatMap(({ content, line }) => {
    const url = content.trim();
    const place = isPrivateHost(urlOf(url).hostname) ? "private" : "public";
    const isOne = isLeftover(url, place, own, (host) => isLeftoverHost(host, own));
    return isOne ? [{ url, tag: "meta", line }] : [];
  });
}

function findLeftovers(evidence: Evidence): Reference[] {
  const { resources = [], links = [] } = evidence.page.body?.html ?? {};
  const own = ownHosts(evidence);
  return [
    ...resources.filter(({ url, place, kind }) =>
      isLeftover(url, place, own, (host) =>
        SHOWN_KINDS.includes(kind) ? isLeftoverHost(host, own) : isDeploymentHost(host),
      ),
    ),
    ...links
      .filter(({ url, place }) => isLeftover(url, place, own, isPreviewLink))
      .map((link) => ({ ...link, tag: "a" })),
    ...findCardLeftovers(evidence, own),
  ];
}

const BUILDS = { fr: "Versions de développement", en: "Development builds" };
const BUILD_FIX = {
  fr: "Chargez la version de production (react.production.min.js, vue.global.prod.js), et compilez les styles et le code avant le déploiement, et non dans le navigateur (Tailwind, Babel).",
  en: "Load the production build (react.production.min.js, vue.global.prod.js), and compile styles and code before the deployment, not in the browser (Tailwind, Babel).",
};

export const leftovers: Rule = {
  id: "asset.leftover",
  title: {
    fr: "Adresses et versions de développement",
    en: "Development addresses and builds",
  },
  measures: {
    fr: "Les fichiers, les liens et l'image de partage n'ont pas d'adresse de localhost, d'un réseau privé, de *.local, de file: ou d'un hôte d'aperçu. L'hôte de la page ne compte pas, ni une image ou un cadre du site d'un tiers. Un script dont l'adresse est celle de la version de développement d'une bibliothèque vaut la moitié des points.",
    en: "No file, link or sharing image has an address of localhost, a private network, *.local, file: or a preview host. The page's own host does not count, nor does an image or frame of a third party's site. A script whose address is that of a library's development build earns half the points.",
  },
  matters: {
    fr: "Les visiteurs tombent sur une adresse morte, sur une version d'essai ou sur du code lent, fait pour le développement.",
    en: "Visitors get a dead address, a test version, or slow code made for development.",
  },
  fix: {
    fr: "Remplacez-la par l'adresse publique, et corrigez le réglage qui l'a produite.",
    en: "Replace it with the public address, and correct the setting that produced it.",
  },
  standard: { name: "RFC 6761, 6.3", url: "https://www.rfc-editor.org/rfc/rfc6761#section-6.3" },
  parents: pageHtml,
  judge(evidence) {
    const found = findLeftovers(evidence);
    if (found.length > 0)
      return fail(
        describeReferences(found, { fr: "Adresses de développement", en: "Development addresses" }),
      );
    const builds = findDevelopmentBuilds(evidence.page.body?.html?.resources ?? []);
    if (builds.length > 0)
      return partial("development_build", describeReferences(builds, BUILDS), BUILD_FIX);
    if (!findWholeHtml(evidence)) return UNREAD_HTML;
    return pass({
      fr: "Aucune adresse ni version de développement.",
      en: "No development address and no development build.",
    });
  },
};
