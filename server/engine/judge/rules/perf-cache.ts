import { describeTestedFiles } from "../facts/tested.ts";
import { describeQuantity } from "../../../../shared/report/words.ts";
import { getAnswer, headerValues, pageHeader } from "../../evidence/accessors.ts";
import { cacheDirectives, freshSeconds } from "../facts/freshness.ts";
import { hashedAssets } from "../facts/hashed-assets.ts";
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
    const tested = describeTestedFiles(evidence);
    const served = hashed.filter(({ status }) => status !== null && status >= 200 && status < 300);
    if (hashed.length === 0)
      return notApplicable({
        fr: `Aucun des fichiers testés (${tested.fr}) n'est versionné.`,
        en: `None of the files tested (${tested.en}) is versioned.`,
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
        fr: `Fichiers versionnés conservés en cache 30 jours ou plus : ${served.length} (fichiers testés : ${tested.fr}).`,
        en: `Versioned files cached for 30 days or more: ${served.length} (files tested: ${tested.en}).`,
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
