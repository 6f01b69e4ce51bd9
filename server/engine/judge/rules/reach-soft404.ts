import type { Evidence } from "../../evidence/evidence.ts";
import { findUrl } from "../../../base/syntax/url.ts";
import { GATEKEEPER_STATUSES } from "../../../base/syntax/statuses.ts";
import { isMissingInBucket } from "../facts/buckets.ts";
import { isOfLimit } from "../facts/limits.ts";
import { urlOf } from "../../evidence/page.ts";
import type { Judgement, Rule } from "../rule.ts";
import { cut, fail, ownAnswer, partial, pass, unknown } from "../rule.ts";

function isRedirect(statusCode: number): boolean {
  return statusCode >= 300 && statusCode < 400;
}

function judgeNotFound(evidence: Evidence): Judgement {
  const { url, status, location } = evidence.notFound;
  const asked = urlOf(url);
  const path = cut(asked.pathname, 100);
  if (status === null)
    return unknown({
      fr: `La requête vers ${path} n'a pas eu de réponse.`,
      en: `The request for ${path} got no answer.`,
    });
  const seen = {
    fr: `${path}, qui n'existe pas, répond ${status}.`,
    en: `${path}, which does not exist, answers ${status}.`,
  };
  if (isMissingInBucket(evidence.notFound)) return pass(seen);
  if (GATEKEEPER_STATUSES.includes(status) || isOfLimit(evidence, { url, status }))
    return unknown(seen);
  if (status >= 400 && status < 500) return pass(seen);
  if (!isRedirect(status)) return fail(seen);
  const to = location ?? "";
  const target = findUrl(to, asked);
  const led = {
    fr: `${path}, qui n'existe pas, est redirigé (${status}) vers ${cut(to, 150)}.`,
    en: `${path}, which does not exist, is redirected (${status}) to ${cut(to, 150)}.`,
  };
  if (target?.pathname.includes(asked.pathname.replace(/\/$/, "")))
    return unknown(led, {
      fr: "Vérifiez l'adresse finale du site, celle qui ne redirige pas.",
      en: "Check the site's final address, the one that does not redirect.",
    });
  return partial("redirect", led);
}

export const softNotFound: Rule = {
  id: "reach.soft404",
  title: { fr: "Vraie page 404", en: "Real 404 page" },
  measures: {
    fr: "Un chemin pris au hasard répond 404, 410 ou un autre refus (4xx) ; une redirection vaut la moitié.",
    en: "A random path answers 404, 410 or another refusal (4xx); a redirect is worth half.",
  },
  matters: {
    fr: "Ni les moteurs de recherche ni vous ne pouvez distinguer un lien mort d'une vraie page ou d'une panne.",
    en: "Neither search engines nor you can tell a dead link from a real page or an outage.",
  },
  fix: {
    fr: "Répondez 404 à tout chemin inconnu, avec une page d'erreur à vous (nginx : error_page 404 /404.html;) ; si l'application a ses propres routes, ne réécrivez que celles-là vers index.html.",
    en: "Answer 404 for every unknown path, with an error page of your own (nginx: error_page 404 /404.html;); where the app has routes of its own, rewrite those alone to index.html.",
  },
  standard: {
    name: "RFC 9110, 15.5.5",
    url: "https://www.rfc-editor.org/rfc/rfc9110#section-15.5.5",
  },
  parents: ownAnswer,
  judge: judgeNotFound,
};
