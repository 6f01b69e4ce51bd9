import type { Text } from "../../../../shared/language.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import { isMissingInBucket } from "../facts/buckets.ts";
import { findParseFault } from "../facts/failure-fixes.ts";
import { concernsClient } from "../facts/limits.ts";
import { describeReferences } from "../facts/references.ts";
import { describeTested, labelTested } from "../facts/tested.ts";
import { type Rule, fail, notApplicable, pageHtml, pass, sameText, unknown, rfc } from "../rule.ts";
import { UNREAD_HTML } from "./html-document.ts";

type Link = Evidence["links"][number];

/** Why browsers refuse the answer. */
const findRefusal = ({ failure }: Link): Text | undefined =>
  failure?.phase === "response" ? findParseFault(failure)?.what : undefined;

function isBroken(link: Link): boolean {
  const { status, isEndless } = link;
  if (isEndless || findRefusal(link) || isMissingInBucket(link)) return true;
  return status === 404 || status === 410 || (status !== null && status >= 500);
}

const DEAD_LINKS = { fr: "Liens morts", en: "Dead links" };
const ENDLESS = { fr: "redirige sans fin", en: "redirects forever" };

function describeAnswer(link: Link): Text {
  const { status, method, isEndless } = link;
  return isEndless ? ENDLESS : (findRefusal(link) ?? sameText(`${status} (${method})`));
}

export const internalLinks: Rule = {
  id: "link.internal",
  title: { fr: "Liens internes", en: "Internal links" },
  measures: {
    fr: "Parmi 20 liens au plus vers le même hôte, aucun ne répond 404, 410 ou 5xx, ne redirige sans fin ni ne donne une réponse que les navigateurs refusent. Un 403 (sauf celui d'un bucket S3) ou un 429 ne compte pas, ni le 503 d'un serveur qui a répondu à d'autres requêtes.",
    en: "Among up to 20 links to the same host, none responds with 404, 410 or 5xx, redirects forever, or gives a response that browsers refuse. A 403 (except from an S3 bucket) or a 429 does not count, nor does a 503 from a server that responded to other requests.",
  },
  why: {
    fr: "Le visiteur qui suit ce lien tombe sur une erreur.",
    en: "Visitors who follow this link get an error.",
  },
  fix: {
    fr: "Corrigez ou retirez ce lien, ou redirigez son URL vers la page qui la remplace.",
    en: "Correct or remove this link, or redirect its URL to the page that replaces it.",
  },
  standard: rfc(9110, "15.5.5"),
  parents: pageHtml,
  judge(evidence) {
    const { links, page } = evidence;
    const answered = links.filter(
      (link) =>
        findRefusal(link) ??
        (link.status !== null &&
          (link.status !== 403 || isMissingInBucket(link)) &&
          !concernsClient(evidence, link)),
    );
    const broken = answered
      .filter(isBroken)
      .map((link) => ({ ...link, tag: "a", answer: describeAnswer(link) }));
    const tested = describeTested(answered.length, evidence.linkCount);
    if (broken.length > 0) return fail(describeReferences(broken, labelTested(DEAD_LINKS, tested)));
    if (answered.length > 0)
      return pass({
        fr: `Liens testés : ${tested.fr} ; aucun de ceux-ci n'est mort.`,
        en: `Links tested: ${tested.en}; none of these is dead.`,
      });
    if (links.length > 0)
      return unknown({
        fr: "Aucun lien n'a eu de réponse claire.",
        en: "No link got a clear response.",
      });
    if (page.body?.state !== "whole") return UNREAD_HTML;
    return notApplicable({ fr: "Aucun lien vers le même hôte.", en: "No link to the same host." });
  },
};
