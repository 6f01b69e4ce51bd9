import type { Text } from "../../../../shared/language.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import type { Html } from "../../evidence/html.ts";
import { findWholeHtml, pageUrl, urlOf } from "../../evidence/accessors.ts";
import { isHomePath } from "../facts/host-relations.ts";
import { type Judgement, type Rule, cut, fail, pass, rfc } from "../rule.ts";
import { findStandIn, isLittle, isShell } from "../facts/stand-in-page.ts";
import type { StandInKind } from "../facts/stand-ins.ts";

const NAMES: Readonly<Record<StandInKind, Text>> = {
  missing: { fr: "une page « introuvable »", en: "a “not found” page" },
  broken: { fr: "une erreur du serveur", en: "a server error" },
  for_sale: {
    fr: "la page d'un domaine en vente ou expiré",
    en: "the page of a domain that is for sale or has expired",
  },
  unfinished: {
    fr: "la page d'un site qui n'est pas encore ouvert",
    en: "the page of a site that is not open yet",
  },
  placeholder: {
    fr: "une page d'attente du serveur ou de l'hébergeur",
    en: "a placeholder from the server or the hosting provider",
  },
  starter: {
    fr: "la page de départ d'un modèle de projet ou d'un logiciel",
    en: "the starter page of a project template or a product",
  },
};

const FIXES: Readonly<Record<StandInKind, Text>> = {
  missing: {
    fr: "Déployez la page à cette URL, ou corrigez l'URL. Si une page manque, répondez 404, et non 200.",
    en: "Deploy the page at this URL, or correct the URL. If a page is missing, respond with 404, not 200.",
  },
  broken: {
    fr: "Cherchez l'erreur dans le journal du serveur. Si la page échoue, répondez 500 ou 503, et non 200.",
    en: "Look for the error in the server's log. If the page fails, respond with 500 or 503, not 200.",
  },
  for_sale: {
    fr: "Renouvelez le domaine au besoin, et faites pointer son DNS vers votre hébergement, et non vers la page du bureau d'enregistrement.",
    en: "Renew the domain if necessary, and point its DNS to your hosting, not to the registrar's page.",
  },
  unfinished: {
    fr: "Publiez le site, ou désactivez le mode « bientôt disponible » ou « maintenance » de l'outil qui le produit.",
    en: "Publish the site, or turn off the “coming soon” or “maintenance” mode of the tool that builds it.",
  },
  placeholder: {
    fr: "Déployez le site dans le dossier que sert l'hôte virtuel de ce nom (server_name et root dans nginx). Chez un hébergeur, rattachez le domaine au site.",
    en: "Deploy the site to the folder that this name's virtual host serves (server_name and root in nginx). At a hosting provider, connect the domain to the site.",
  },
  starter: {
    fr: "Déployez votre site à la place de cette page, créée par le modèle ou par l'installation.",
    en: "Deploy your site in place of this page, which the template or the installation created.",
  },
};

/** In characters. A page that still waits for its script has no more text than this. */
const MAX_WAITING_TEXT = 40;

/** Whether this URL shows the same text as any other path, and no script of the site could change it. */
function isAnyPath(evidence: Evidence, html: Html): boolean {
  const { status, repeatsPage } = evidence.notFound;
  const page = pageUrl(evidence);
  const hasOwnScript = evidence.assets.some(
    ({ kind, url }) => (kind === "script" || kind === "module") && url.startsWith(page.origin),
  );
  return (
    repeatsPage === true &&
    status === 200 &&
    page.pathname !== "/" &&
    html.textLength > (html.scriptCount > 0 ? MAX_WAITING_TEXT : 0) &&
    !hasOwnScript &&
    !isShell(html) &&
    isLittle(html)
  );
}

/**
 * Returns the target to which the page and unknown paths both redirect. A masked target does not count, because its
 * value may differ each time.
 */
function findCommonEnd({ url, page, notFound }: Evidence): string | undefined {
  const [from, end] = [page.hops.at(-2)?.url, page.hops.at(-1)?.url];
  if (from === undefined || end === undefined || isHomePath(urlOf(url).pathname)) return undefined;
  const isCommon = notFound.location === end && urlOf(notFound.url).origin === urlOf(from).origin;
  return isCommon && urlOf(from).pathname !== urlOf(end).pathname && !end.includes("***")
    ? end
    : undefined;
}

function judgeHtml(evidence: Evidence, html: Html): Judgement {
  const found = findStandIn(evidence, html);
  if (found) {
    const name = NAMES[found.kind];
    const phrase = cut(found.phrase, 120);
    return fail(
      {
        fr: `La page dit « ${phrase} » et presque rien d'autre : c'est ${name.fr}.`,
        en: `The page says “${phrase}” and little else: it is ${name.en}.`,
      },
      FIXES[found.kind],
    );
  }
  const end = findCommonEnd(evidence);
  if (end !== undefined) {
    const path = cut(urlOf(evidence.url).pathname, 100);
    return fail(
      {
        fr: `${path} redirige vers ${cut(end, 150)}, comme un chemin inconnu.`,
        en: `${path} redirects to ${cut(end, 150)}, as an unknown path does.`,
      },
      FIXES.missing,
    );
  }
  if (isAnyPath(evidence, html)) {
    const path = cut(pageUrl(evidence).pathname, 100);
    return fail(
      {
        fr: `${path} affiche le même texte qu'un chemin inconnu, qui répond 200 lui aussi.`,
        en: `${path} shows the same text as an unknown path, which responds with 200 too.`,
      },
      FIXES.missing,
    );
  }
  return pass({
    fr: "Ni page introuvable, ni domaine en vente, ni site en construction, ni page de départ.",
    en: "Neither a missing page, nor a domain for sale, nor a site under construction, nor a starter page.",
  });
}

export const standIn: Rule = {
  id: "reach.page",
  title: {
    fr: "Page demandée, et non une page d'attente",
    en: "Requested page, not a placeholder",
  },
  measures: {
    fr: "La page demandée s'affiche. La règle échoue si la page ne dit guère plus que ceci : page introuvable, domaine en vente, site en construction ou suspendu, serveur qui fonctionne, modèle de projet installé. Elle échoue aussi si la page affiche le même texte qu'un chemin inconnu, ou redirige au même endroit.",
    en: "The requested page is shown. The rule fails if the page says little more than this: page not found, domain for sale, site coming soon or suspended, server works, project template installed. It also fails if the page shows the same text as an unknown path, or redirects to the same place.",
  },
  why: {
    fr: "Le statut 200 cache la panne : ni les visiteurs ni la surveillance ne voient la page demandée.",
    en: "Status 200 hides the failure: visitors do not see the requested page, and monitoring does not notice.",
  },
  fix: {
    fr: "Déployez la page à cette URL. Si une page manque, répondez 404.",
    en: "Deploy the page at this URL. If a page is missing, respond with 404.",
  },
  standard: rfc(9110, "15.5.5"),
  capReason: {
    fr: "Une autre page s'affiche à la place de la page demandée.",
    en: "Another page is shown in place of the requested page.",
  },
  parents: ({ page }) => (page.body?.leak ? ["reach.leak", "reach.html"] : ["reach.html"]),
  judge(evidence) {
    const html = findWholeHtml(evidence);
    return html
      ? judgeHtml(evidence, html)
      : pass({
          fr: "La page est trop longue pour être une page d'attente.",
          en: "The page is too long to be a placeholder.",
        });
  },
};
