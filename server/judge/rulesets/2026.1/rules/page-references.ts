import type { Evidence } from "../../../../evidence/evidence.ts";
import type { Resource } from "../../../../evidence/html.ts";
import { isDeploymentHost, isLocalHost, isPreviewHost } from "../hosts.ts";
import { findWholeHtml, pageMetas, pageUrl, urlOf } from "../page.ts";
import { enforcedPolicies } from "../policy.ts";
import { type Reference, describeReferences } from "../../../facts/references.ts";
import {
  type Rule,
  fail,
  notApplicable,
  pageHtml,
  partial,
  pass,
  text,
  unknown,
} from "../../../rule.ts";
import { UNREAD_HTML } from "./html-document.ts";
import { isUrl } from "../../../../../shared/url.ts";

/** Kinds that browsers only warn about or upgrade by themselves (Mixed Content, 3.1). */
const PASSIVE_KINDS = ["image", "media", "icon"];
function isMixed({ url }: Resource): boolean {
  return isUrl(url) && new URL(url).protocol === "http:";
}

export const mixedContent: Rule = {
  id: "asset.mixed",
  title: text("Aucun contenu mixte", "No mixed content"),
  measures: text(
    "Aucun fichier de la page https n'est appelé en http ; des images ou médias seuls valent la moitié.",
    "No file of the https page is called over http; images or media alone are worth half.",
  ),
  matters: text(
    "Les navigateurs bloquent ces appels, ou les tournent vers https, qui peut ne pas répondre.",
    "Browsers block these requests, or upgrade them to https, which may not answer.",
  ),
  fix: text(
    "Appelez-les en https ou, si leur hôte le permet, envoyez : Content-Security-Policy: upgrade-insecure-requests",
    "Call them over https or, where their host allows it, send: Content-Security-Policy: upgrade-insecure-requests",
  ),
  standard: { name: "Mixed Content, 3", url: "https://www.w3.org/TR/mixed-content/#categories" },
  capReason: text(
    "La page appelle un script, un style ou un cadre en http, que les navigateurs bloquent.",
    "The page calls a script, style or frame over http, which browsers block.",
  ),
  parents: pageHtml,
  judge(evidence) {
    const mixed = (evidence.page.body?.html?.resources ?? []).filter(isMixed);
    const isUpgraded = enforcedPolicies(evidence).some(({ directives }) =>
      directives.has("upgrade-insecure-requests"),
    );
    if (mixed.length > 0 && isUpgraded)
      return pass(
        text(
          "Les appels en http passent en https par upgrade-insecure-requests.",
          "The http calls move to https through upgrade-insecure-requests.",
        ),
      );
    const active = mixed.filter(({ kind }) => !PASSIVE_KINDS.includes(kind));
    if (active.length > 0) return fail(describeReferences(active));
    if (mixed.length > 0) return partial("passive", describeReferences(mixed));
    if (!findWholeHtml(evidence)) return UNREAD_HTML;
    return pass(text("Aucun fichier n'est appelé en http.", "No file is called over http."));
  },
};

function isLeftover(
  url: string,
  place: string,
  ownHosts: readonly string[],
  isDeployment: (host: string) => boolean,
) {
  if (/^file:/i.test(url)) return true;
  if (!isUrl(url)) return false;
  const { hostname } = new URL(url);
  return !ownHosts.includes(hostname) && (place === "private" || isDeployment(hostname));
}

const CARD_IMAGES = ["og:image", "og:image:url"];

/** The sharing card's images on such a host: of what a meta names, no place was looked up, and its name tells. */
function findCardLeftovers(evidence: Evidence, ownHosts: readonly string[]): Reference[] {
  const metas = CARD_IMAGES.flatMap((name) => pageMetas(evidence, name));
  return metas.flatMap(({ content, line }) => {
    const url = content.trim();
    const place = isUrl(url) && isLocalHost(new URL(url).hostname) ? "private" : "public";
    const isOne = isLeftover(url, place, ownHosts, isDeploymentHost);
    return isOne ? [{ url, tag: "meta", line }] : [];
  });
}

function findLeftovers(evidence: Evidence): Reference[] {
  const { resources = [], links = [] } = evidence.page.body?.html ?? {};
  const ownHosts = [pageUrl(evidence).hostname, urlOf(evidence.url).hostname];
  return [
    ...resources.filter(({ url, place }) => isLeftover(url, place, ownHosts, isDeploymentHost)),
    ...links
      .filter(({ url, place }) => isLeftover(url, place, ownHosts, isPreviewHost))
      .map((link) => ({ ...link, tag: "a" })),
    ...findCardLeftovers(evidence, ownHosts),
  ];
}

export const leftovers: Rule = {
  id: "asset.leftover",
  title: text("Aucune adresse de développement", "No development address"),
  measures: text(
    "Parmi les fichiers, les liens et l'image de partage, aucune adresse de localhost, d'un réseau privé, de *.local, de file: ni d'un hôte d'aperçu ; l'hôte même de la page n'en est pas une.",
    "Among files, links and the sharing image, no address of localhost, a private network, *.local, file: or a preview host; the page's own host is not one.",
  ),
  matters: text(
    "Chez les visiteurs, cette adresse ne mène nulle part, ou à un essai oublié.",
    "For visitors this address leads nowhere, or to a forgotten trial.",
  ),
  fix: text(
    "Remplacez-la par l'adresse publique, en cherchant la variable de configuration qui l'a produite.",
    "Replace it with the public address, and look for the setting that produced it.",
  ),
  standard: { name: "RFC 6761, 6.3", url: "https://www.rfc-editor.org/rfc/rfc6761#section-6.3" },
  parents: pageHtml,
  judge(evidence) {
    const found = findLeftovers(evidence);
    if (found.length > 0) return fail(describeReferences(found));
    if (!findWholeHtml(evidence)) return UNREAD_HTML;
    return pass(text("Aucune adresse de ce genre.", "No address of the kind."));
  },
};

type Link = Evidence["links"][number];

function isBroken({ status }: Link): boolean {
  return status === 404 || status === 410 || (status !== null && status >= 500);
}

function isJudged({ status }: Link): boolean {
  return status !== null && status !== 403 && status !== 429;
}

export const internalLinks: Rule = {
  id: "link.internal",
  title: text("Liens internes vivants", "Working internal links"),
  measures: text(
    "Jusqu'à 8 liens vers le même hôte ne répondent ni 404, ni 410, ni 5xx ; un 403 ou un 429 ne dit rien.",
    "Up to 8 links to the same host answer neither 404, 410 nor 5xx; a 403 or 429 says nothing.",
  ),
  matters: text(
    "Le visiteur qui suit ce lien tombe sur une erreur.",
    "Visitors who follow this link run into an error.",
  ),
  fix: text(
    "Corrigez ou retirez ce lien, ou redirigez son adresse vers la page qui la remplace.",
    "Correct or remove this link, or redirect its address to the page that replaces it.",
  ),
  standard: {
    name: "RFC 9110, 15.5.5",
    url: "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.5",
  },
  parents: pageHtml,
  judge({ links, page }) {
    const broken = links.filter(isBroken).map(({ url, line, status, method }) => ({
      url,
      tag: "a",
      line,
      answer: text(`${status} (${method})`, `${status} (${method})`),
    }));
    if (broken.length > 0) return fail(describeReferences(broken));
    const judged = links.filter(isJudged).length;
    if (judged > 0)
      return pass(
        text(`Liens essayés et vivants : ${judged}.`, `Links tried, all working: ${judged}.`),
      );
    if (links.length > 0)
      return unknown(text("Aucun lien n'a eu de réponse claire.", "No link got a clear answer."));
    if (page.body?.state !== "whole") return UNREAD_HTML;
    return notApplicable(text("Aucun lien vers le même hôte.", "No link to the same host."));
  },
};
