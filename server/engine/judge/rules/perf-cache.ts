import { describeQuantity } from "../../../../shared/report/words.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import type { Headers } from "../../evidence/exchange.ts";
import { getAnswer, headerValues, pageHeader, pageUrl, urlOf } from "../../evidence/accessors.ts";
import { findCookieTime } from "../../../base/syntax/set-cookie.ts";
import {
  addLine,
  type Rule,
  cut,
  DAYS,
  fail,
  notApplicable,
  pageAnswer,
  pass,
  unknown,
  verbatim,
  rfc,
} from "../rule.ts";

const DAY_SECONDS = 86_400;
const MONTH_SECONDS = 30 * DAY_SECONDS;

/** A comma in quotes does not separate directives (RFC 9111, 5.2). */
const DIRECTIVE = /([^\s",=]+)(?:\s*=\s*(?:"([^"]*)"|([^\s",]*)))?/g;

/** Names are in lower case. If a directive is repeated, the first one counts (RFC 9111, 4.2.1). */
function cacheDirectives(values: readonly string[]): Map<string, string> {
  const directives = new Map<string, string>();
  for (const [, name = "", quoted, token = ""] of values.join(",").matchAll(DIRECTIVE))
    if (!directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), quoted ?? token);
  return directives;
}

/** The three date formats of HTTP (RFC 9110, 5.6.7). */
const HTTP_DATE =
  /^(?:[a-z]{3}, \d{2} [a-z]{3} \d{4} \d{2}:\d{2}:\d{2} GMT|[a-z]{6,9}, \d{2}-[a-z]{3}-\d{2} \d{2}:\d{2}:\d{2} GMT|[a-z]{3} [a-z]{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4})$/i;

/** Returns 0 if the value is no HTTP date, such as `0` or `-1` (RFC 9111, 5.3). */
function secondsUntil(date: string, checkedAt: string): number {
  const time = HTTP_DATE.test(date) ? findCookieTime(date) : undefined;
  return time === undefined ? 0 : (time - Date.parse(checkedAt)) / 1000;
}

/** Returns 0 for an invalid max-age. */
function freshSeconds(headers: Headers, checkedAt: string): number {
  const directives = cacheDirectives(headerValues(headers, "cache-control"));
  if (directives.has("no-store") || directives.has("no-cache")) return 0;
  const maxAge = directives.get("max-age");
  if (maxAge !== undefined) return /^\d+$/.test(maxAge) ? Number(maxAge) : 0;
  return secondsUntil(headerValues(headers, "expires")[0]?.trim() ?? "", checkedAt);
}

const PAGE_FIX = {
  fr: "Envoyez l'en-tête Cache-Control avec la page, ainsi qu'un ETag.",
  en: "Send the Cache-Control header with the page, and an ETag.",
};
/** `no-cache` alone lets shared caches store the page (RFC 9111, 5.2.2.4). */
const PRIVATE_FIX = addLine(PAGE_FIX, "Cache-Control: private, no-cache");

export const cacheHtml: Rule = {
  id: "perf.cache-html",
  title: { fr: "Mise en cache de la page", en: "Page caching" },
  measures: {
    fr: "La page a un Cache-Control, un Expires ou un validateur (ETag, Last-Modified). Elle n'est pas mise en cache sans revalidation pendant 30 jours ou plus, ni pendant un jour ou plus avec immutable.",
    en: "The page has a Cache-Control, an Expires or a validator (ETag, Last-Modified). It is not cached without revalidation for 30 days or more, nor for a day or more with immutable.",
  },
  why: {
    fr: "Sans ces en-têtes, le navigateur recharge la page à chaque visite. Si la durée est trop longue, il manquera le prochain déploiement.",
    en: "Without these headers, browsers load the page again at each visit. If the lifetime is too long, they will miss the next deployment.",
  },
  fix: addLine(PAGE_FIX, "Cache-Control: no-cache"),
  standard: rfc(9111, "5.2"),
  parents: pageAnswer,
  judge(evidence) {
    const names = ["cache-control", "expires", "etag", "last-modified"];
    const lines = names.flatMap((name) =>
      pageHeader(evidence, name).map((value) => `${name}: ${value}`),
    );
    if (lines.length === 0)
      return fail({
        fr: "La page n'a ni Cache-Control, ni Expires, ni ETag, ni Last-Modified.",
        en: "The page has no Cache-Control, Expires, ETag or Last-Modified.",
      });
    const shown = cut(lines.join(", "), 200);
    const seconds = freshSeconds(getAnswer(evidence).headers, evidence.checkedAt);
    const directives = cacheDirectives(pageHeader(evidence, "cache-control"));
    const days = Math.floor(seconds / DAY_SECONDS);
    return seconds >= (directives.has("immutable") ? DAY_SECONDS : MONTH_SECONDS)
      ? fail(
          {
            fr: `La page est mise en cache ${describeQuantity(days, DAYS, "fr")} sans revalidation : ${shown}.`,
            en: `The page is cached for ${describeQuantity(days, DAYS, "en")} without revalidation: ${shown}.`,
          },
          directives.has("private") ? PRIVATE_FIX : undefined,
        )
      : pass(verbatim(shown));
  },
};

/**
 * Matches a hash in a file name, as in `app.3f9c2b1a.js`, `index-BcD3f4Gh.css` and `main-K3JX7Q2M.js`. A hash has 8 to
 * 64 hexadecimal digits, which must not form a date, or 8 other characters with a digit between letters. These 8
 * characters are base64url in both cases, or capitals that do not read like `2026EDIT` or `1280X720`.
 */
const HASH =
  /[.\-_](?:(?=\d*[a-f])(?=[a-f]*\d)[\da-f]{8,64}|(?=[\w-]{8}$)(?=.*[a-z])(?=.*[A-Z])(?=.*[a-zA-Z].*\d.*[a-zA-Z]).{8}|(?=[A-Z\d]{8}$)(?=.*[A-Z]\d+[A-Z]).{8})$/;
/**
 * Names that look like a hash and stay when the content changes: a UUID, Doxygen's folder, the time at which WordPress
 * edited an image, Unsplash's and Strapi's ids, and words such as `facade2026`.
 */
const STABLE =
  /[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$|\/dir_[\da-f]{32}$|-e1\d{9,12}$|\/photo-\d{10,13}-[\da-f]{12}$|\/uploads\/[^/]*_[\da-f]{10}$|[.\-_](?:[a-f]{3,}\d+|\d+[a-f]{3,})$/i;
/** Webflow writes the id of the site before this extension. */
const OF_WEBFLOW = "webflow";
const LONGEST_STABLE = 200;
const LONGEST_HASH = 64;
const EXTENSION = /^[a-z0-9]+$/;

/** A name may have several extensions: `app.3f9c2b1a.js.map`. */
export function isHashedName(path: string): boolean {
  const parts = path.split(".");
  for (let index = parts.length - 1; index > 0 && EXTENSION.test(parts[index] ?? ""); index--) {
    const separator = index > 1 ? "." : "";
    const before = separator + (parts[index - 1] ?? "");
    const isHashed = HASH.test(before.slice(-1 - LONGEST_HASH));
    const isStable = parts[index] === OF_WEBFLOW || STABLE.test(before.slice(-LONGEST_STABLE));
    if (isHashed && !isStable) return true;
  }
  return false;
}

/** The site cannot set the headers of other hosts. */
function hashedAssets(evidence: Evidence): Evidence["assets"] {
  const { host } = pageUrl(evidence);
  return evidence.assets.filter(({ url }) => {
    const file = urlOf(url);
    return file.host === host && isHashedName(file.pathname);
  });
}

export const cacheAssets: Rule = {
  id: "perf.cache-assets",
  title: { fr: "Mise en cache des fichiers versionnés", en: "Caching of versioned files" },
  measures: {
    fr: "Les fichiers du même hôte dont le nom contient une empreinte de leur contenu sont conservés en cache au moins 30 jours.",
    en: "Files on the same host whose name contains a hash of their content are cached for at least 30 days.",
  },
  why: {
    fr: "Les navigateurs retéléchargent des fichiers qui ne peuvent pas changer sous le même nom.",
    en: "Browsers download files again that can never change under the same name.",
  },
  fix: addLine(
    {
      fr: "Envoyez l'en-tête Cache-Control avec ces fichiers.",
      en: "Send the Cache-Control header with these files.",
    },
    "Cache-Control: public, max-age=31536000, immutable",
  ),
  standard: rfc(8246),
  parents: pageAnswer,
  judge(evidence) {
    const hashed = hashedAssets(evidence);
    const served = hashed.filter(({ status }) => status !== null && status >= 200 && status < 300);
    if (hashed.length === 0)
      return notApplicable({
        fr: "Aucun des fichiers testés n'est versionné.",
        en: "None of the files tested is versioned.",
      });
    if (served.length === 0)
      return unknown({
        fr: "Aucun fichier versionné n'a pu être lu.",
        en: "No versioned file could be read.",
      });
    const short = served.find(
      ({ headers }) => freshSeconds(headers, evidence.checkedAt) < MONTH_SECONDS,
    );
    if (!short)
      return pass({
        fr: `Fichiers versionnés conservés en cache 30 jours ou plus : ${served.length}.`,
        en: `Versioned files cached for 30 days or more: ${served.length}.`,
      });
    const value = cut(headerValues(short.headers, "cache-control").join(", "), 80);
    const url = cut(short.url, 150);
    return fail(
      value === ""
        ? { fr: `${url} n'a pas de Cache-Control.`, en: `${url} has no Cache-Control.` }
        : {
            fr: `${url} est conservé en cache moins de 30 jours (Cache-Control: ${value}).`,
            en: `${url} is cached for less than 30 days (Cache-Control: ${value}).`,
          },
    );
  },
};
