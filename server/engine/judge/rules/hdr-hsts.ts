import { describeQuantity } from "../../../../shared/report/words.ts";
import { findPreloaded, PRELOAD_LIST } from "../facts/hsts-preload.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import type { Hop } from "../../evidence/exchange.ts";
import { headerValues, pageHeader, pageUrl, urlOf } from "../../evidence/accessors.ts";
import {
  addLine,
  type Fix,
  type Rule,
  cut,
  DAYS,
  fail,
  notApplicable,
  pageAnswer,
  partial,
  pass,
  verbatim,
  rfc,
} from "../rule.ts";

const MIN_MAX_AGE_SECONDS = 15_552_000;
const TOKEN = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i;
const QUOTED = /^"(?:[^"\\]|\\.)*"$/;

/**
 * Implements RFC 6797, 6.1. Names are in lower case, and a directive without `=` has the value null. Returns undefined
 * for a repeated directive, and for a value that is no token or quoted string. Also returns undefined if max-age is
 * missing or not a number, or if includeSubDomains has a value, even an empty one.
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

export function writeDirectives(
  maxAge: number,
  directives: ReadonlyMap<string, string | null>,
): string {
  const rest = ["includeSubDomains", "preload"].filter((name) =>
    directives.has(name.toLowerCase()),
  );
  return [`max-age=${maxAge}`, ...rest].join("; ");
}

/** Keeps the site's own directives: without `preload`, the site would leave the browsers' list. */
function lengthen(directives: ReadonlyMap<string, string | null>): Fix | undefined {
  if (!directives.has("includesubdomains")) return undefined;
  return addLine(
    {
      fr: "Envoyez l'en-tête Strict-Transport-Security avec une durée d'un an. Ne conservez includeSubDomains que si tous les sous-domaines répondent en https.",
      en: "Send the Strict-Transport-Security header with a max-age of one year. Keep includeSubDomains only if every subdomain responds over https.",
    },
    `Strict-Transport-Security: ${writeDirectives(31_536_000, directives)}`,
  );
}

/** Browsers take the policy of any secure answer of the host, or of a parent with includeSubDomains (RFC 6797, 8). */
function findOnRedirect(evidence: Evidence): Hop | undefined {
  const page = pageUrl(evidence);
  return evidence.page.hops.slice(0, -1).find(({ url, headers }) => {
    const [value = ""] = headerValues(headers, "strict-transport-security");
    const directives = readDirectives(value);
    const { protocol, hostname } = urlOf(url);
    const isCovered =
      hostname === page.hostname ||
      (Boolean(directives?.has("includesubdomains")) && page.hostname.endsWith(`.${hostname}`));
    return protocol === "https:" && isCovered && Number(directives?.get("max-age") ?? 0) > 0;
  });
}

export const hsts: Rule = {
  id: "hdr.hsts",
  title: { fr: "HTTPS imposé aux navigateurs (HSTS)", en: "HTTPS enforced in browsers (HSTS)" },
  measures: {
    fr: "Strict-Transport-Security est valide et a une durée d'au moins 180 jours (max-age=15552000). Une durée plus courte rapporte la moitié des points, de même qu'un en-tête que seule une redirection envoie, celle de cet hôte ou d'un domaine parent avec includeSubDomains ; max-age=0 n'en rapporte aucun. Si l'en-tête est envoyé plusieurs fois, seul le premier compte. Un nom sous un suffixe de la liste de préchargement des navigateurs (.dev, .app…) est protégé sans en-tête.",
    en: "Strict-Transport-Security is valid and lasts at least 180 days (max-age=15552000). A shorter time earns half the points, and so does a header that only a redirect sends, of this host or of a parent domain with includeSubDomains; max-age=0 earns none. If the header is sent several times, only the first counts. A name under a suffix on the browsers' preload list (.dev, .app…) is protected without the header.",
  },
  why: {
    fr: "La première requête d'une visite peut être envoyée en http, où elle peut être lue ou détournée.",
    en: "The first request of a visit may be sent over http, where it can be read or hijacked.",
  },
  // This line concerns only this host, which has just responded over https (RFC 6797, 8.1 and 8.3).
  fix: addLine(
    {
      fr: "Envoyez l'en-tête Strict-Transport-Security avec chaque réponse. N'ajoutez includeSubDomains que si tous les sous-domaines répondent en https, car les navigateurs y refuseront http.",
      en: "Send the Strict-Transport-Security header with every response. Add includeSubDomains only if every subdomain responds over https, since browsers will refuse http on all of them.",
    },
    "Strict-Transport-Security: max-age=31536000",
  ),
  standard: rfc(6797, "6.1"),
  capReason: {
    fr: "Sans HSTS valide, la première requête d'une visite peut être envoyée en http. Si l'hébergeur ne peut pas envoyer cet en-tête, un CDN placé devant lui le peut.",
    en: "Without valid HSTS, the first request of a visit may be sent over http. If the hosting provider cannot send this header, a CDN in front of it can.",
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
        fr: `Les navigateurs n'ouvrent ${hostname} qu'en https, car tout .${suffix} est dans leur liste de préchargement HSTS (${PRELOAD_LIST}).`,
        en: `Browsers open ${hostname} over https only, since all of .${suffix} is on their HSTS preload list (${PRELOAD_LIST}).`,
      });
    const [value] = pageHeader(evidence, "strict-transport-security");
    const directives = value === undefined ? undefined : readDirectives(value);
    const shown = cut(value ?? "", 150);
    const redirect = directives ? undefined : findOnRedirect(evidence);
    if (redirect) {
      const page =
        value === undefined
          ? { fr: "et non la page", en: "the page does not" }
          : {
              fr: `et celui de la page est invalide : ${shown}`,
              en: `the page's is invalid: ${shown}`,
            };
      return partial("redirect", {
        fr: `Seule une redirection envoie un Strict-Transport-Security valide (${cut(redirect.url, 150)}), ${page.fr}.`,
        en: `Only a redirect sends a valid Strict-Transport-Security (${cut(redirect.url, 150)}); ${page.en}.`,
      });
    }
    if (value === undefined)
      return fail({
        fr: "La page n'a pas d'en-tête Strict-Transport-Security.",
        en: "The page has no Strict-Transport-Security header.",
      });
    if (!directives)
      return fail({
        fr: `Les navigateurs ignorent l'en-tête Strict-Transport-Security, qui est invalide : ${shown}.`,
        en: `Browsers ignore the Strict-Transport-Security header, which is invalid: ${shown}.`,
      });
    const maxAge = Number(directives.get("max-age"));
    if (maxAge >= MIN_MAX_AGE_SECONDS) return pass(verbatim(`Strict-Transport-Security: ${shown}`));
    const days = Math.floor(maxAge / 86_400);
    const found = {
      fr: `Strict-Transport-Security a une durée de ${describeQuantity(days, DAYS, "fr")}, inférieure à 180 jours : ${shown}.`,
      en: `Strict-Transport-Security lasts ${describeQuantity(days, DAYS, "en")}, less than 180 days: ${shown}.`,
    };
    const fix = lengthen(directives);
    return maxAge > 0 ? partial("short", found, fix) : fail(found, fix);
  },
};
