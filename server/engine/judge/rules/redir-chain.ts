import { describeQuantity, type Noun } from "../../../../shared/report/words.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import type { Failure, Hop } from "../../evidence/exchange.ts";
import { findParseFault } from "../facts/failure-fixes.ts";
import { judgeUnread } from "../facts/gatekeeper.ts";
import { phraseRefusal } from "../facts/url-refusals.ts";
import { findWebServer, withDirectives } from "../facts/web-server.ts";
import { urlOf } from "../../evidence/accessors.ts";
import { DOWNGRADE_FIX } from "./redir-https.ts";
import {
  type Fix,
  type Judgement,
  type Rule,
  cut,
  fail,
  partial,
  pass,
  unknown,
  rfc,
  sameText,
} from "../rule.ts";

const MAX_SHORT_REDIRECTS = 2;
const REDIRECTS: Noun = { fr: ["redirection", "redirections"], en: ["redirect", "redirects"] };

/** A user cannot paste a URL with a masked value or a cut end. */
function isPasteable(url: string): boolean {
  return !url.includes("***") && !url.endsWith("…");
}

/** Browsers refuse the headers of the redirect itself. */
function judgeHeaders(url: string, failure: Failure): Judgement {
  const fault = findParseFault(failure);
  const why = fault?.what ?? sameText(cut(failure.detail, 100));
  return fail(
    {
      fr: `Les navigateurs refusent la redirection de ${url} : ${why.fr} (${cut(failure.code, 80)}).`,
      en: `Browsers refuse the redirect of ${url}: ${why.en} (${cut(failure.code, 80)}).`,
    },
    fault?.fix,
  );
}

function judgeStop({ stop, failure }: Evidence["page"], path: string): Judgement | undefined {
  if (!stop) return undefined;
  const { url, reason, refusal } = stop;
  const to = cut(url, 150);
  if (reason === "headers" && failure) return judgeHeaders(to, failure);
  if (reason === "downgrade")
    return fail(
      {
        fr: `Une redirection ramène de https à http : ${to} (${path}).`,
        en: `A redirect leads from https back to http: ${to} (${path}).`,
      },
      isPasteable(to)
        ? {
            fr: `Redirigez vers l'URL https : ${to.replace(/^http:/, "https:")}.`,
            en: `Redirect to the https URL: ${to.replace(/^http:/, "https:")}.`,
          }
        : DOWNGRADE_FIX,
    );
  if (reason === "loop")
    return fail(
      {
        fr: `Les redirections forment une boucle : ${path} → ${to}.`,
        en: `The redirects form a loop: ${path} → ${to}.`,
      },
      {
        fr: "Retirez l'une des deux règles qui se renvoient le visiteur. Cause fréquente : une application derrière un proxy croit être en http. Faites-lui lire X-Forwarded-Proto.",
        en: "Remove one of the two rules that redirect to each other. A common cause: an application behind a proxy assumes that it is served over http. Have it read X-Forwarded-Proto.",
      },
    );
  if (reason === "too_many")
    return fail({
      fr: `20 redirections de suite : Chrome renonce à la page (${path}).`,
      en: `20 redirects in a row: Chrome gives up on the page (${path}).`,
    });
  if (reason === "unreached")
    return unknown({
      fr: `Les redirections ont pris tout le temps de la vérification : ${path} → ${to}.`,
      en: `The redirects took all the time of the check: ${path} → ${to}.`,
    });
  const why = refusal === null ? { fr: "URL refusée", en: "URL refused" } : phraseRefusal(refusal);
  const found = {
    fr: `Une redirection renvoie vers ${to}, que la vérification ne visite pas : ${why.fr}.`,
    en: `A redirect leads to ${to}, which the check does not visit: ${why.en}.`,
  };
  if (refusal === "dns_timeout" || refusal === "dns_failure") return unknown(found);
  return fail(found, {
    fr: "Redirigez vers une URL publique du site, en https et sur le port 443.",
    en: "Redirect to a public URL of the site, over https and on port 443.",
  });
}

function describePath(evidence: Evidence): string {
  return cut(evidence.page.hops.map((hop) => `${hop.status} ${hop.url}`).join(" → "), 300);
}

/** Excludes `;` and `$`, which nginx would interpret. */
const PLAIN_URL = /^[\w.~:/%-]+$/;

/** The nginx line covers only this path, because other paths may need another target. */
function shorten(end: string, first: Hop | undefined): Fix {
  const words = { fr: `Redirigez directement vers ${end}`, en: `Redirect straight to ${end}` };
  const { pathname, search } = urlOf(first?.url ?? "");
  const isPlain = isPasteable(end) && search === "" && PLAIN_URL.test(end + pathname);
  return isPlain && findWebServer(first)?.name === "nginx"
    ? withDirectives(words, { nginx: `location = ${pathname} { return 301 ${end}; }` }, first)
    : { fr: `${words.fr}.`, en: `${words.en}.` };
}

export const redirectChain: Rule = {
  id: "redir.chain",
  title: { fr: "Chaîne de redirections", en: "Redirect chain" },
  measures: {
    fr: "L'URL demandée mène à la page en 2 redirections au plus, sans boucle. Aucune ne mène à http ni à une URL privée ou refusée, et les navigateurs acceptent leurs en-têtes. De 3 à 19 redirections rapportent la moitié des points ; à la vingtième, Chrome renonce. Une page qui ne fait que renvoyer vers une autre du site, par un rafraîchissement (Refresh) ou un script, compte pour une redirection.",
    en: "There are at most 2 redirects from the requested URL to the page. They form no loop, and lead to no http, private or refused URL. Browsers accept their headers. From 3 to 19 redirects earn half the points; at the 20th, Chrome gives up. A page that only leads on to another one of the site, by a Refresh or a script, counts as a redirect.",
  },
  why: {
    fr: "Chaque redirection retarde la page ; une redirection erronée la rend inaccessible ou l'envoie sans chiffrement.",
    en: "Each redirect delays the page; a wrong redirect makes it unreachable or sends it unencrypted.",
  },
  fix: {
    fr: "Redirigez directement vers l'URL finale.",
    en: "Redirect straight to the final URL.",
  },
  standard: rfc(9110, "15.4"),
  capReason: {
    fr: "Les redirections n'aboutissent pas à une page lisible en https.",
    en: "The redirects do not lead to a page that can be read over https.",
  },
  parents: () => ["reach.connect"],
  judge(evidence) {
    const { hops } = evidence.page;
    const path = describePath(evidence);
    const stopped = judgeStop(evidence.page, path);
    if (stopped) return stopped;
    const unread = judgeUnread(evidence);
    if (unread) return unread;
    const count = hops.length - 1;
    if (count === 0)
      return pass({
        fr: "L'URL répond sans redirection.",
        en: "The URL responds without a redirect.",
      });
    const found = {
      fr: `${describeQuantity(count, REDIRECTS, "fr")} : ${path}.`,
      en: `${describeQuantity(count, REDIRECTS, "en")}: ${path}.`,
    };
    if (count <= MAX_SHORT_REDIRECTS) return pass(found);
    const end = cut(hops.at(-1)?.url ?? "", 200);
    return partial("long", found, shorten(end, hops[0]));
  },
};
