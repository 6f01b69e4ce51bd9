import type { Evidence } from "../../evidence/evidence.ts";
import { findUrl } from "../../../base/syntax/url.ts";
import type { Text } from "../../../../shared/language.ts";
import { readContentType } from "../facts/content-type.ts";
import { GATEKEEPER_STATUSES } from "../../../base/syntax/http.ts";
import { judgeUnread } from "../facts/gatekeeper.ts";
import { isDeploymentHost } from "../facts/hosts.ts";
import { HTML_TYPE } from "../../../base/syntax/media-type.ts";
import { isPrivateHost } from "../../../base/syntax/private-hosts.ts";
import { isMissingInBucket } from "../facts/buckets.ts";
import { isRateLimit } from "../facts/limits.ts";
import { ownHosts, pageUrl } from "../../evidence/accessors.ts";
import { listMoves, redirectToHttps } from "./redir-https.ts";
import {
  addLine,
  type Fix,
  type Judgement,
  type Rule,
  cut,
  fail,
  ownAnswer,
  pass,
  unknown,
  rfc,
} from "../rule.ts";

const SITEMAP_FIX = {
  fr: "Publiez un sitemap valide et indiquez son URL publique, en https, dans la ligne Sitemap de robots.txt, ou retirez cette ligne.",
  en: "Publish a valid sitemap and state its public https URL in the Sitemap line of robots.txt, or remove this line.",
};

/** Crawlers ignore a sitemap whose URL is not absolute (sitemaps.org, "Specifying the Sitemap location"). */
function fixSitemapLine(evidence: Evidence, named: string): Fix {
  const url = named === "" ? undefined : findUrl(named, new URL("/", pageUrl(evidence)));
  const words = {
    fr: "L'URL d'un sitemap doit être absolue : commencez-la par https:// et le nom d'hôte.",
    en: "The URL of a sitemap must be absolute: start it with https:// and the host name.",
  };
  return url?.protocol === "https:" ? addLine(words, `Sitemap: ${url.href}`) : words;
}

const isHttpMeasured = (evidence: Evidence) => redirectToHttps.judge(evidence).status !== "unknown";

/** Also returns true if plain http could not be measured. */
function mayLeadToHttps(evidence: Evidence): boolean {
  const moves = evidence.plainHttp ? listMoves(evidence.plainHttp) : [];
  return moves.some(({ to }) => to.protocol === "https:") || !isHttpMeasured(evidence);
}

/** Returns the end of a sentence. A sitemap on another public host is allowed (sitemaps.org). */
function findFault(evidence: Evidence, sitemap: string): Text | undefined {
  const url = findUrl(sitemap);
  if (!url) return { fr: "n'est pas une URL", en: "is not a URL" };
  const { protocol, hostname } = url;
  const isOwn = ownHosts(evidence).includes(hostname);
  const isLed = protocol === "http:" && isOwn && mayLeadToHttps(evidence);
  if (protocol !== "https:" && !isLed) return { fr: "n'est pas en https", en: "is not https" };
  if (!isOwn && isPrivateHost(hostname)) return { fr: "est privée", en: "is private" };
  if (!isOwn && isDeploymentHost(hostname))
    return { fr: "est celle d'un aperçu", en: "belongs to a preview" };
  return undefined;
}

function judgeSitemap(evidence: Evidence): Judgement {
  const { robots, sitemap } = evidence;
  for (const named of robots.sitemaps) {
    const fault = findFault(evidence, named);
    if (!fault) continue;
    const shown = cut(named, 150);
    return fail(
      {
        fr: `robots.txt déclare un sitemap dont l'URL ${fault.fr} : ${shown}.`,
        en: `robots.txt declares a sitemap whose URL ${fault.en}: ${shown}.`,
      },
      SITEMAP_FIX,
    );
  }
  if (robots.sitemaps.some((named) => named.startsWith("http:")) && !isHttpMeasured(evidence))
    return unknown({
      fr: "robots.txt déclare un sitemap en http, et http n'a pas répondu.",
      en: "robots.txt declares a sitemap over http, and http did not respond.",
    });
  if (!sitemap)
    return pass({
      fr: `robots.txt répond ${robots.status}.`,
      en: `robots.txt responds with ${robots.status}.`,
    });
  const url = cut(sitemap.url, 150);
  const { status, valid } = sitemap;
  const isRefused =
    status !== null && GATEKEEPER_STATUSES.includes(status) && !isMissingInBucket(sitemap);
  if (status === null || isRefused || isRateLimit(evidence, sitemap))
    return unknown({
      fr: `Le sitemap ${url} n'a pas pu être lu.`,
      en: `The sitemap ${url} could not be read.`,
    });
  if (status >= 300 && status < 400)
    return pass({
      fr: `robots.txt répond ${robots.status}, et le sitemap ${url} redirige (${status}).`,
      en: `robots.txt responds with ${robots.status}, and the sitemap ${url} redirects (${status}).`,
    });
  if (status < 200 || status > 299)
    return fail(
      {
        fr: `Le sitemap ${url} répond ${status}.`,
        en: `The sitemap ${url} responds with ${status}.`,
      },
      SITEMAP_FIX,
    );
  if (valid === null)
    return unknown({
      fr: `Le sitemap ${url} n'a pas pu être lu.`,
      en: `The sitemap ${url} could not be read.`,
    });
  if (!valid)
    return fail(
      {
        fr: `${url} n'est pas un sitemap valide.`,
        en: `${url} is not a valid sitemap.`,
      },
      SITEMAP_FIX,
    );
  return pass({
    fr: `robots.txt répond ${robots.status}, et le sitemap ${url} est valide.`,
    en: `robots.txt responds with ${robots.status}, and the sitemap ${url} is valid.`,
  });
}

/** A site that answers every path with a page has no robots.txt. */
function isPage({ robots }: Evidence): boolean {
  return robots.badLine !== null && readContentType(robots.headers).essence === HTML_TYPE;
}

export const robotsFile: Rule = {
  id: "seo.robots",
  title: { fr: "robots.txt et sitemap", en: "robots.txt and sitemap" },
  measures: {
    fr: "robots.txt ne répond pas par une erreur 5xx, et chacune de ses lignes est lisible. Le sitemap qu'il déclare est valide (XML, flux ou texte), à une URL publique en https, ou en http si http redirige vers https.",
    en: "robots.txt does not respond with a 5xx error, and each of its lines can be read. The sitemap that it declares is valid (XML, a feed or text), at a public URL over https, or over http if http redirects to https.",
  },
  why: {
    fr: "Les robots ignorent ce qu'ils ne peuvent pas lire, et considèrent que tout le site est interdit si robots.txt répond par une erreur.",
    en: "Crawlers ignore what they cannot read, and treat the whole site as disallowed if robots.txt responds with an error.",
  },
  fix: {
    fr: "Servez robots.txt en texte brut, avec une directive par ligne (User-agent, Allow, Disallow, Sitemap).",
    en: "Serve robots.txt as plain text, with one directive per line (User-agent, Allow, Disallow, Sitemap).",
  },
  standard: rfc(9309, "2.3.1"),
  parents(evidence) {
    const isCatchAll = isPage(evidence) && (evidence.notFound.status ?? 0) === 200;
    return isCatchAll ? ["reach.soft404"] : ownAnswer(evidence);
  },
  judge(evidence) {
    const { status, failure, badLine, page } = evidence.robots;
    if (status === null)
      return unknown({
        fr: "La requête vers robots.txt est restée sans réponse.",
        en: "The request for robots.txt got no response.",
      });
    if (page !== null)
      return pass({
        fr: `robots.txt redirige vers une page, ${cut(page, 150)} : le site n'a donc pas de robots.txt, et tout est autorisé.`,
        en: `robots.txt redirects to a page, ${cut(page, 150)}: the site therefore has no robots.txt, and everything is allowed.`,
      });
    const found = { fr: `robots.txt répond ${status}.`, en: `robots.txt responds with ${status}.` };
    if (isRateLimit(evidence, { url: evidence.url, status })) return unknown(found);
    if (status >= 500) return fail(found);
    if (status === 429 || (status >= 300 && status < 400)) return unknown(found);
    if (status === 401 || status === 403)
      return judgeUnread(evidence) ? unknown(found) : pass(found);
    if (failure?.phase === "body")
      return unknown({
        fr: `robots.txt répond ${status}, mais son texte n'a pas pu être lu.`,
        en: `robots.txt responds with ${status}, but its text could not be read.`,
      });
    if (isPage(evidence))
      return fail(
        {
          fr: `robots.txt répond ${status} avec une page HTML.`,
          en: `robots.txt responds with ${status} and an HTML page.`,
        },
        {
          fr: "Servez robots.txt en texte brut, ou répondez 404, ce qui autorise tout.",
          en: "Serve robots.txt as plain text, or respond with 404 to allow everything.",
        },
      );
    if (badLine) {
      const shown = cut(badLine.text, 120);
      const named = /^\s*sitemap\s*:(?<value>[^#]*)/i.exec(badLine.text)?.groups?.["value"];
      if (named !== undefined)
        return fail(
          {
            fr: `La ligne ${badLine.line} de robots.txt n'indique pas d'URL absolue : ${shown}.`,
            en: `Line ${badLine.line} of robots.txt does not state an absolute URL: ${shown}.`,
          },
          fixSitemapLine(evidence, named.trim()),
        );
      return fail({
        fr: `La ligne ${badLine.line} de robots.txt est illisible : ${shown}.`,
        en: `Line ${badLine.line} of robots.txt cannot be read: ${shown}.`,
      });
    }
    return judgeSitemap(evidence);
  },
};
