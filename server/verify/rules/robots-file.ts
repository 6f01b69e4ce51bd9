import type { Evidence } from "../../probe/evidence.ts";
import { GATEKEEPER_STATUSES } from "../gatekeeper.ts";
import { pageUrl } from "../page.ts";
import { type Judgement, type Rule, cut, fail, ownAnswer, pass, text, unknown } from "../rule.ts";

function isHere(evidence: Evidence, url: string): boolean {
  const hosts = [new URL(evidence.url).host, pageUrl(evidence).host];
  return URL.canParse(url) && hosts.includes(new URL(url).host);
}

const SITEMAP_FIX = text(
  "Publiez un plan du site valable sur cet hôte, ou retirez la ligne Sitemap de robots.txt.",
  "Publish a valid sitemap on this host, or remove the Sitemap line from robots.txt.",
);

function judgeSitemap(evidence: Evidence): Judgement {
  const { robots, sitemap } = evidence;
  const foreign = robots.sitemaps.find((url) => !isHere(evidence, url));
  if (foreign !== undefined) {
    const shown = cut(foreign, 150);
    return fail(
      text(
        `robots.txt nomme un plan du site sur un autre hôte : ${shown}.`,
        `robots.txt names a sitemap on another host: ${shown}.`,
      ),
      SITEMAP_FIX,
    );
  }
  if (!sitemap)
    return pass(
      text(`robots.txt répond ${robots.status}.`, `robots.txt answers ${robots.status}.`),
    );
  const url = cut(sitemap.url, 150);
  const { status, valid } = sitemap;
  if (status === null || GATEKEEPER_STATUSES.includes(status))
    return unknown(text(`${url} n'a pas pu être lu.`, `${url} could not be read.`));
  if (status < 200 || status > 299)
    return fail(
      text(`Le plan du site ${url} répond ${status}.`, `The sitemap ${url} answers ${status}.`),
      SITEMAP_FIX,
    );
  if (valid === null)
    return unknown(text(`${url} n'a pas pu être lu.`, `${url} could not be read.`));
  if (!valid)
    return fail(
      text(
        `${url} n'est pas un plan du site en XML valable.`,
        `${url} is not a valid XML sitemap.`,
      ),
      SITEMAP_FIX,
    );
  return pass(
    text(
      `robots.txt répond ${robots.status} et le plan du site ${url} est valable.`,
      `robots.txt answers ${robots.status}, and the sitemap ${url} is valid.`,
    ),
  );
}

export const robotsFile: Rule = {
  id: "seo.robots",
  title: text("robots.txt et plan du site lisibles", "Readable robots.txt and sitemap"),
  measures: text(
    "robots.txt ne répond pas par une erreur 5xx et se lit ligne à ligne ; le plan du site qu'il nomme est du XML valable, sur cet hôte.",
    "robots.txt does not answer with a 5xx error and reads line by line; the sitemap that it names is valid XML, on this host.",
  ),
  matters: text(
    "Face à une erreur, les robots tiennent tout le site pour interdit ; une ligne illisible est ignorée.",
    "On an error, crawlers take the whole site as forbidden; a line that cannot be read is ignored.",
  ),
  fix: text(
    "Servez un robots.txt en texte, par exemple : User-agent: * puis Allow: / puis Sitemap: https://…/sitemap.xml, une directive par ligne.",
    "Serve a robots.txt as text, such as User-agent: * then Allow: / then Sitemap: https://…/sitemap.xml, one directive a line.",
  ),
  standard: {
    name: "RFC 9309, 2.3.1",
    url: "https://www.rfc-editor.org/rfc/rfc9309#section-2.3.1",
  },
  parents: ownAnswer,
  judge(evidence) {
    const { status, badLine } = evidence.robots;
    if (status === null)
      return unknown(text("robots.txt n'a pas eu de réponse.", "robots.txt got no answer."));
    const seen = text(`robots.txt répond ${status}.`, `robots.txt answers ${status}.`);
    if (status >= 500) return fail(seen);
    if (GATEKEEPER_STATUSES.includes(status) || (status >= 300 && status < 400))
      return unknown(seen);
    if (badLine) {
      const shown = cut(badLine.text, 120);
      return fail(
        text(
          `La ligne ${badLine.line} de robots.txt est illisible : ${shown}.`,
          `Line ${badLine.line} of robots.txt cannot be read: ${shown}.`,
        ),
      );
    }
    return judgeSitemap(evidence);
  },
};
