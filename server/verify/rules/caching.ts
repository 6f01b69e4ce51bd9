import type { Evidence, Headers } from "../../probe/evidence.ts";
import { headerValues, listMembers, pageHeader } from "../page.ts";
import {
  type Rule,
  cut,
  fail,
  notApplicable,
  pageAnswer,
  pass,
  text,
  unknown,
  verbatim,
} from "../rule.ts";

const YEAR_SECONDS = 31_536_000;

function cacheDirectives(values: readonly string[]): Map<string, string> {
  return new Map(
    listMembers(values).map((member): [string, string] => {
      const [name = "", value = ""] = member.split("=");
      return [name.trim().toLowerCase(), value.trim().replaceAll('"', "")];
    }),
  );
}

function findMaxAge(directives: ReadonlyMap<string, string>): number | undefined {
  const value = directives.get("max-age");
  return value !== undefined && /^\d+$/.test(value) ? Number(value) : undefined;
}

export const cacheHtml: Rule = {
  id: "perf.cache-html",
  title: text("Mise en cache de la page", "Caching of the page"),
  measures: text(
    "La page a un Cache-Control ou un validateur (ETag, Last-Modified), et n'est pas gardée pour toujours (immutable, ou un an et plus).",
    "The page has a Cache-Control or a validator (ETag, Last-Modified), and is not kept for ever (immutable, or a year and more).",
  ),
  matters: text(
    "Le navigateur recharge tout à chaque visite ou, à l'inverse, ne verra pas le prochain déploiement.",
    "The browser loads everything again at each visit or, conversely, will not see the next deployment.",
  ),
  fix: text(
    "Envoyez avec la page : Cache-Control: no-cache, et un ETag.",
    "Send with the page: Cache-Control: no-cache, and an ETag.",
  ),
  standard: { name: "RFC 9111, 5.2", url: "https://www.rfc-editor.org/rfc/rfc9111#section-5.2" },
  parents: pageAnswer,
  judge(evidence) {
    const names = ["cache-control", "etag", "last-modified"];
    const lines = names.flatMap((name) =>
      pageHeader(evidence, name).map((value) => `${name}: ${value}`),
    );
    if (lines.length === 0)
      return fail(
        text(
          "Ni Cache-Control, ni ETag, ni Last-Modified.",
          "No Cache-Control, ETag or Last-Modified.",
        ),
      );
    const directives = cacheDirectives(pageHeader(evidence, "cache-control"));
    const shown = cut(lines.join(", "), 200);
    const isRevalidated = directives.has("no-cache") || directives.has("no-store");
    const isForEver = directives.has("immutable") || (findMaxAge(directives) ?? 0) >= YEAR_SECONDS;
    return isForEver && !isRevalidated ? fail(verbatim(shown)) : pass(verbatim(shown));
  },
};

const MIN_ASSET_SECONDS = 2_592_000;
/** `app.3f9c2b1a.js`, `index-BcD3f4Gh.css`: 8 or more hexadecimal digits, or 8 base64url characters with a digit and a capital. */
const HASHED_NAME =
  /[.\-_](?:[0-9a-f]{8,64}|(?=[a-zA-Z_-]*\d)(?=[\w-]*[A-Z])[\w-]{8})(?:\.[a-z0-9]+)+$/;

/** Seconds that a browser keeps the file without asking, as far as the headers say so. */
function freshSeconds(headers: Headers, checkedAt: string): number {
  const directives = cacheDirectives(headerValues(headers, "cache-control"));
  if (directives.has("no-store") || directives.has("no-cache")) return 0;
  const maxAge = findMaxAge(directives);
  if (maxAge !== undefined) return maxAge;
  const expires = Date.parse(headerValues(headers, "expires")[0] ?? "");
  return Number.isNaN(expires) ? 0 : (expires - Date.parse(checkedAt)) / 1000;
}

function hashedAssets({ assets }: Evidence): Evidence["assets"] {
  return assets.filter(({ url }) => HASHED_NAME.test(new URL(url).pathname));
}

export const cacheAssets: Rule = {
  id: "perf.cache-assets",
  title: text("Mise en cache des fichiers versionnés", "Caching of versioned files"),
  measures: text(
    "Les fichiers dont le nom porte une empreinte de leur contenu se gardent au moins 30 jours.",
    "Files whose name carries a hash of their content are kept for at least 30 days.",
  ),
  matters: text(
    "Le visiteur qui revient recharge des fichiers qui n'ont pas changé.",
    "A visitor who comes back loads files again that have not changed.",
  ),
  fix: text(
    "Envoyez avec ces fichiers : Cache-Control: public, max-age=31536000, immutable",
    "Send with these files: Cache-Control: public, max-age=31536000, immutable",
  ),
  standard: { name: "RFC 8246", url: "https://www.rfc-editor.org/rfc/rfc8246" },
  parents: pageAnswer,
  judge(evidence) {
    const hashed = hashedAssets(evidence);
    const served = hashed.filter(({ status }) => status !== null && status >= 200 && status < 300);
    if (hashed.length === 0)
      return notApplicable(
        text("Aucun fichier versionné parmi ceux essayés.", "No versioned file among those tried."),
      );
    if (served.length === 0)
      return unknown(
        text("Aucun fichier versionné n'a pu être lu.", "No versioned file could be read."),
      );
    const short = served.find(
      ({ headers }) => freshSeconds(headers, evidence.checkedAt) < MIN_ASSET_SECONDS,
    );
    if (!short)
      return pass(
        text(
          `Fichiers versionnés gardés 30 jours ou plus : ${served.length}.`,
          `Versioned files kept for 30 days or more: ${served.length}.`,
        ),
      );
    const value = cut(headerValues(short.headers, "cache-control").join(", "), 80);
    const url = cut(short.url, 150);
    return fail(
      value === ""
        ? text(`${url} n'a pas de Cache-Control.`, `${url} has no Cache-Control.`)
        : text(`${url} : Cache-Control: ${value}.`, `${url}: Cache-Control: ${value}.`),
    );
  },
};
