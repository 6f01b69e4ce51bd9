import type { Evidence } from "../../evidence/evidence.ts";
import { findUrl } from "../../../base/syntax/url.ts";
import { isBehindGate } from "../facts/gatekeeper.ts";
import { isMissingInBucket } from "../facts/buckets.ts";
import { isRateLimit } from "../facts/limits.ts";
import { urlOf } from "../../evidence/accessors.ts";
import { type Judgement, type Rule, cut, fail, ownAnswer, pass, unknown, rfc } from "../rule.ts";

function isRedirect(statusCode: number): boolean {
  return statusCode >= 300 && statusCode < 400;
}

function judgeNotFound(evidence: Evidence): Judgement {
  const { url, status, headers, location } = evidence.notFound;
  const asked = urlOf(url);
  const path = cut(asked.pathname, 100);
  if (status === null)
    return unknown({
      fr: `La requête vers ${path} est restée sans réponse.`,
      en: `The request for ${path} got no response.`,
    });
  const found = {
    fr: `${path}, qui n'existe pas, répond ${status}.`,
    en: `${path}, which does not exist, responds with ${status}.`,
  };
  if (isMissingInBucket(evidence.notFound)) return pass(found);
  if (isBehindGate(evidence, { status, headers }) || isRateLimit(evidence, { url, status }))
    return unknown(found);
  if (status >= 400 && status < 500) return pass(found);
  if (!isRedirect(status)) return fail(found);
  const to = location ?? "";
  const target = findUrl(to, asked);
  const led = {
    fr: `${path}, qui n'existe pas, redirige (${status}) vers ${cut(to, 150)}.`,
    en: `${path}, which does not exist, redirects (${status}) to ${cut(to, 150)}.`,
  };
  if (target?.pathname.includes(asked.pathname.replace(/\/$/, "")))
    return unknown(led, {
      fr: "Vérifiez plutôt l'URL finale du site, celle qui ne redirige pas.",
      en: "Check the site's final URL instead, the one that does not redirect.",
    });
  return fail(led);
}

export const softNotFound: Rule = {
  id: "reach.soft404",
  title: { fr: "Réponse à un chemin inconnu (404)", en: "Response to an unknown path (404)" },
  measures: {
    fr: "Un chemin inconnu répond 404, 410 ou un autre refus (4xx), sans redirection.",
    en: "An unknown path responds with 404, 410 or another refusal (4xx), without a redirect.",
  },
  why: {
    fr: "Ni vous ni les moteurs de recherche ne pouvez distinguer un lien mort d'une vraie page ou d'une panne.",
    en: "Neither you nor search engines can tell a dead link from a real page or an outage.",
  },
  fix: {
    fr: "Répondez 404 à tout chemin inconnu, avec votre propre page d'erreur (dans nginx, avec error_page). Si l'application a ses propres routes, ne réécrivez que celles-ci vers index.html.",
    en: "Respond with 404 to every unknown path, with your own error page (in nginx, with error_page). If the app has its own routes, rewrite only those to index.html.",
  },
  standard: rfc(9110, "15.5.5"),
  parents: ownAnswer,
  yieldsTo: "asset.fallback",
  judge: judgeNotFound,
};
