import {
  type Rule,
  notApplicable,
  ownAnswer,
  partial,
  pass,
  unknown,
  verbatim,
  rfc,
} from "../rule.ts";
import { describeMoves, listMoves, type Move } from "./redir-https.ts";

const PERMANENT = [301, 308];

function bareName({ hostname }: URL): string {
  return hostname.replace(/^www\./, "");
}

/** A sign-in on another host may be temporary. */
function isLastingMove({ from, to }: Move): boolean {
  if (from.protocol !== to.protocol) return true;
  return from.hostname !== to.hostname && bareName(from) === bareName(to);
}

export const redirectPermanent: Rule = {
  id: "redir.permanent",
  title: { fr: "Redirections permanentes", en: "Permanent redirects" },
  measures: {
    fr: "Les redirections de http vers https, et entre les variantes avec et sans www, ont le statut 301 ou 308.",
    en: "Redirects from http to https, and between the variants with and without www, have status 301 or 308.",
  },
  why: {
    fr: "Le navigateur répète une redirection temporaire à chaque visite, et les moteurs de recherche conservent l'ancienne URL.",
    en: "Browsers repeat a temporary redirect at each visit, and search engines keep the old URL.",
  },
  fix: {
    fr: "Utilisez pour cette redirection le statut 301 ou 308 (pour nginx, 301 après return ou permanent après rewrite ; pour Apache, permanent après Redirect ou R=301 après RewriteRule).",
    en: "Use status 301 or 308 for this redirect (in nginx, 301 after return or permanent after rewrite; in Apache, permanent after Redirect or R=301 after RewriteRule).",
  },
  standard: rfc(9110, "15.4.2"),
  parents: ownAnswer,
  judge({ page, plainHttp, twin }) {
    const chains = [plainHttp, twin, page].filter((chain) => chain !== null);
    const moves = chains.flatMap(listMoves).filter(isLastingMove);
    const temporary = moves.filter(({ status }) => !PERMANENT.includes(status));
    if (temporary.length > 0) return partial("temporary", verbatim(describeMoves(temporary)));
    if (plainHttp && !plainHttp.closed && plainHttp.hops.length === 0)
      return unknown({
        fr: "La requête en http est restée sans réponse.",
        en: "The http request got no response.",
      });
    if (twin?.skipped)
      return unknown({
        fr: "La variante avec ou sans www n'a pas été testée, faute de temps.",
        en: "The variant with or without www was not tested: time ran out.",
      });
    if (moves.length > 0) return pass(verbatim(describeMoves(moves)));
    return notApplicable({ fr: "Aucune redirection à évaluer.", en: "No redirect to assess." });
  },
};
