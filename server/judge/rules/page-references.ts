import type { Evidence, Form, Resource } from "../../evidence/evidence.ts";
import { isDeploymentHost, isLeftoverHost, isLocalHost, isPreviewHost } from "../facts/hosts.ts";
import { findExposedForm, findPlainForms } from "../facts/forms.ts";
import { isOfAsker } from "../facts/limits.ts";
import { pageMetas } from "../facts/metas.ts";
import { findWholeHtml, ownHosts, urlOf } from "../../evidence/page.ts";
import { enforcedPolicies, governs } from "../facts/policy.ts";
import { type Reference, describeReferences } from "../facts/references.ts";
import { type Rule, fail, notApplicable, pageHtml, partial, pass, text, unknown } from "../rule.ts";
import { UNREAD_HTML } from "./html-document.ts";

/** Kinds that browsers only warn about or upgrade by themselves (Mixed Content, 3.1). */
const PASSIVE_KINDS = ["image", "media", "icon"];
function isMixed({ url }: Resource): boolean {
  return urlOf(url).protocol === "http:";
}

export const mixedContent: Rule = {
  id: "asset.mixed",
  title: text("Aucun contenu mixte", "No mixed content"),
  measures: text(
    "Aucun fichier de la page https n'est appelé en http, aucun formulaire n'envoie en http ce qu'on y saisit, et aucun mot de passe ne part dans l'adresse (GET) ; des images, des médias ou une recherche en http valent la moitié.",
    "The https page loads no file over http, none of its forms sends what is typed over http, and no password is sent in the address (GET); images, media or a search over http are worth half.",
  ),
  matters: text(
    "Les navigateurs bloquent un fichier appelé en http, ou le demandent en https, qui peut ne pas répondre ; ce qu'un formulaire envoie en http ou dans l'adresse, d'autres peuvent le lire.",
    "Browsers block a file loaded over http, or upgrade it to https, which may not answer; what a form sends over http or in the address can be read by others.",
  ),
  fix: text(
    "Mettez https: dans ces adresses ou, si leur hôte le permet, envoyez : Content-Security-Policy: upgrade-insecure-requests",
    "Put https: in these addresses or, where their host allows it, send: Content-Security-Policy: upgrade-insecure-requests",
  ),
  standard: { name: "Mixed Content, 3", url: "https://www.w3.org/TR/mixed-content/#categories" },
  capReason: text(
    "La page appelle un script, un style ou un cadre en http, que les navigateurs bloquent, ou un formulaire envoie ce qu'on y saisit là où d'autres peuvent le lire.",
    "The page loads a script, style or frame over http, which browsers block, or a form sends what is typed where others can read it.",
  ),
  parents: pageHtml,
  judge(evidence) {
    const upgrades = enforcedPolicies(evidence).filter(({ directives }) =>
      directives.has("upgrade-insecure-requests"),
    );
    const isUpgraded = (sent: Resource | Form): boolean =>
      upgrades.some((policy) => governs(policy, sent));
    const plain = findPlainForms(evidence).filter((form) => !isUpgraded(form));
    const exposed = findExposedForm(evidence, plain);
    if (exposed) return exposed;
    const called = (evidence.page.body?.html?.resources ?? []).filter(isMixed);
    const mixed = called.filter((file) => !isUpgraded(file));
    if (called.length > 0 && mixed.length + plain.length === 0)
      return pass(
        text(
          "Les appels en http passent en https par upgrade-insecure-requests.",
          "The http requests move to https through upgrade-insecure-requests.",
        ),
      );
    const active = mixed.filter(({ kind }) => !PASSIVE_KINDS.includes(kind));
    if (active.length > 0) return fail(describeReferences(active));
    if (mixed.length + plain.length > 0)
      return partial("passive", describeReferences([...mixed, ...plain]));
    if (!findWholeHtml(evidence)) return UNREAD_HTML;
    return pass(
      text("Rien n'est chargé ni envoyé en http.", "Nothing is loaded or sent over http."),
    );
  },
};

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

/** What a page may well show of somebody else's site, such as a badge. */
const SHOWN_KINDS = ["image", "icon", "media", "frame"];
const CARD_IMAGES = ["og:image", "og:image:url"];

/** The sharing card's images on such a host: of what a meta names, no place was looked up, and its name tells. */
function findCardLeftovers(evidence: Evidence, own: readonly string[]): Reference[] {
  const metas = CARD_IMAGES.flatMap((name) => pageMetas(evidence, name));
  return metas.flatMap(({ content, line }) => {
    const url = content.trim();
    const place = isLocalHost(urlOf(url).hostname) ? "private" : "public";
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
      .filter(({ url, place }) => isLeftover(url, place, own, isPreviewHost))
      .map((link) => ({ ...link, tag: "a" })),
    ...findCardLeftovers(evidence, own),
  ];
}

export const leftovers: Rule = {
  id: "asset.leftover",
  title: text("Aucune adresse de développement", "No development address"),
  measures: text(
    "Parmi les fichiers, les liens et l'image de partage, aucune adresse de localhost, d'un réseau privé, de *.local, de file: ni d'un hôte d'aperçu. L'hôte de la page ne compte pas, ni une image ou un cadre du site d'un autre.",
    "Among files, links and the sharing image, no address of localhost, a private network, *.local, file: or a preview host. The page's own host does not count, nor does an image or frame of somebody else's site.",
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

export const internalLinks: Rule = {
  id: "link.internal",
  title: text("Liens internes vivants", "Working internal links"),
  measures: text(
    "Jusqu'à 8 liens vers le même hôte ne répondent ni 404, ni 410, ni 5xx ; un 403 ou un 429 ne dit rien, ni le 503 d'un serveur qui a répondu à d'autres requêtes.",
    "Up to 8 links to the same host answer neither 404, 410 nor 5xx; a 403 or 429 says nothing, nor does a 503 where other requests were answered.",
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
  judge(evidence) {
    const { links, page } = evidence;
    const answered = links.filter(
      (link) => link.status !== null && link.status !== 403 && !isOfAsker(evidence, link),
    );
    const broken = answered.filter(isBroken).map(({ url, line, status, method }) => ({
      url,
      tag: "a",
      line,
      answer: text(`${status} (${method})`, `${status} (${method})`),
    }));
    if (broken.length > 0) return fail(describeReferences(broken));
    const judged = answered.length;
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
