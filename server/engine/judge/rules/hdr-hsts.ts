import { findPreloaded, PRELOAD_LIST } from "../facts/hsts-preload.ts";
import { findPlatform } from "../facts/platforms.ts";
import { getAnswer, pageHeader, pageUrl } from "../../evidence/page.ts";
import {
  type Fix,
  type Rule,
  cut,
  fail,
  notApplicable,
  pageAnswer,
  partial,
  pass,
  verbatim,
  withLine,
} from "../rule.ts";

const MIN_MAX_AGE_SECONDS = 15_552_000;
const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
const QUOTED = /^"(?:[^"\\]|\\.)*"$/;

/**
 * The directives of one Strict-Transport-Security value (RFC 6797, 6.1) by lower-cased name, null for those without
 * `=`. Undefined if the value is invalid: a repeated directive, a value that is neither token nor quoted string,
 * max-age missing or not a number, or includeSubDomains with a value, even an empty one.
 */
export function readDirectives(value: string): ReadonlyMap<string, string | null> | undefined {
  const directives = new Map<string, string | null>();
  for (const part of splitDirectives(value)) {
    const directive = part.trim();
    if (directive === "") continue;
    const equals = directive.indexOf("=");
    const name = (equals < 0 ? directive : directive.slice(0, equals)).trim().toLowerCase();
    const argument = equals < 0 ? null : directive.slice(equals + 1).trim();
    const isValid =
      TOKEN.test(name) && (argument === null || TOKEN.test(argument) || QUOTED.test(argument));
    if (!isValid || directives.has(name)) return undefined;
    directives.set(name, argument?.replace(/^"(.*)"$/, "$1") ?? null);
  }
  if ((directives.get("includesubdomains") ?? null) !== null) return undefined;
  return /^\d+$/.test(directives.get("max-age") ?? "") ? directives : undefined;
}

/** Splits at the semicolons outside quotes. */
function splitDirectives(value: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let index = 0; index < value.length; index++) {
    if (isQuoted && value[index] === "\\") index++;
    else if (value[index] === '"') isQuoted = !isQuoted;
    else if (value[index] === ";" && !isQuoted) {
      parts.push(value.slice(start, index));
      start = index + 1;
    }
  }
  return [...parts, value.slice(start)];
}

function isAddress(host: string): boolean {
  return host.startsWith("[") || /^\d+(\.\d+){3}$/.test(host);
}

/** A longer line with what the site sends already: without `preload` it would leave the browsers' list. */
function lengthen(directives: ReadonlyMap<string, string | null>): Fix | undefined {
  if (!directives.has("includesubdomains")) return undefined;
  const preload = directives.has("preload") ? "; preload" : "";
  const line = `Strict-Transport-Security: max-age=31536000; includeSubDomains${preload}`;
  return withLine(
    {
      fr: `Envoyez : ${line} (en gardant includeSubDomains seulement si tous les sous-domaines répondent en https).`,
      en: `Send: ${line} (keeping includeSubDomains only if every subdomain answers over https).`,
    },
    line,
  );
}

const NO_HEADERS_FIX = {
  fr: "GitHub Pages ne peut pas envoyer cet en-tête pour un domaine à vous : mettez devant lui un CDN qui l'ajoute, tel que Cloudflare, ou un hébergeur où l'on règle les en-têtes.",
  en: "GitHub Pages cannot send this header for a domain of yours: put a CDN that adds it in front, such as Cloudflare, or move to a host that lets you set headers.",
};

export const hsts: Rule = {
  id: "hdr.hsts",
  title: { fr: "HSTS : https imposé au navigateur", en: "HSTS: https imposed on the browser" },
  measures: {
    fr: "Strict-Transport-Security est valable et dure au moins 180 jours (15552000 secondes) ; moins vaut la moitié, max-age=0 rien. De plusieurs en-têtes, seul le premier compte. Un nom sous un suffixe de la liste de préchargement des navigateurs (.dev, .app…) est protégé sans en-tête.",
    en: "Strict-Transport-Security is valid and lasts at least 180 days (15552000 seconds); less is worth half, max-age=0 nothing. Where it is sent several times, only the first counts. A name under a suffix of the browsers' preload list (.dev, .app…) is protected without a header.",
  },
  matters: {
    fr: "La première requête d'une visite peut partir en http, et être lue ou détournée.",
    en: "The first request of a visit may leave over http, and be read or hijacked.",
  },
  fix: withLine(
    {
      fr: "Envoyez : Strict-Transport-Security: max-age=31536000 (avec ; includeSubDomains seulement si tous les sous-domaines répondent en https, car les navigateurs n'y accepteront plus http).",
      en: "Send: Strict-Transport-Security: max-age=31536000 (with ; includeSubDomains only if every subdomain answers over https, since browsers will then refuse http there).",
    },
    "Strict-Transport-Security: max-age=31536000",
  ),
  standard: { name: "RFC 6797, 6.1", url: "https://www.rfc-editor.org/rfc/rfc6797#section-6.1" },
  capReason: {
    fr: "Sans HSTS valable, https ne protège pas la première requête.",
    en: "Without valid HSTS, https does not protect the first request.",
  },
  parents: pageAnswer,
  judge(evidence) {
    const { hostname } = pageUrl(evidence);
    if (isAddress(hostname))
      return notApplicable({
        fr: "HSTS ne s'applique pas à une adresse IP.",
        en: "HSTS does not apply to an IP address.",
      });
    const suffix = findPreloaded(hostname);
    if (suffix !== undefined)
      return pass({
        fr: `Les navigateurs n'ouvrent ${hostname} qu'en https : .${suffix} tout entier est dans leur liste de préchargement HSTS (${PRELOAD_LIST}).`,
        en: `Browsers open ${hostname} over https only: all of .${suffix} is on their HSTS preload list (${PRELOAD_LIST}).`,
      });
    const [value] = pageHeader(evidence, "strict-transport-security");
    if (value === undefined)
      return fail(
        { fr: "Aucun Strict-Transport-Security.", en: "No Strict-Transport-Security." },
        findPlatform(getAnswer(evidence).headers)?.name === "GitHub Pages"
          ? NO_HEADERS_FIX
          : undefined,
      );
    const shown = cut(value, 150);
    const directives = readDirectives(value);
    if (!directives)
      return fail({
        fr: `Le navigateur ignore ce Strict-Transport-Security, qui n'est pas valable : ${shown}.`,
        en: `The browser ignores this Strict-Transport-Security, which is not valid: ${shown}.`,
      });
    const maxAge = Number(directives.get("max-age"));
    if (maxAge >= MIN_MAX_AGE_SECONDS) return pass(verbatim(`Strict-Transport-Security: ${shown}`));
    const days = Math.floor(maxAge / 86_400);
    const seen = {
      fr: `Strict-Transport-Security: ${shown} (${days} jour${days > 1 ? "s" : ""}).`,
      en: `Strict-Transport-Security: ${shown} (${days} day${days === 1 ? "" : "s"}).`,
    };
    const fix = lengthen(directives);
    return maxAge > 0 ? partial("short", seen, fix) : fail(seen, fix);
  },
};
