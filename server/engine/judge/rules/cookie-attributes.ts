import type { Text } from "../../../../shared/language.ts";
import type { Evidence } from "../../evidence/evidence.ts";
import type { Hop } from "../../evidence/exchange.ts";
import { cookiesOf, isSession } from "../facts/session-cookies.ts";
import type { SetCookie } from "../../../base/syntax/set-cookie.ts";
import type { Judgement, Rule } from "../rule.ts";
import { cut, fail, notApplicable, pageAnswer, partial, pass, verbatim } from "../rule.ts";

function nameCookie({ name }: SetCookie): Text {
  const shown = cut(name, 60);
  return name === "" ? { fr: "sans nom", en: "without a name" } : { fr: shown, en: shown };
}

function writeCookie(cookie: SetCookie): string {
  const words = [...cookie.attributes].map(([key, value]) =>
    value === "" ? key : `${key}=${value}`,
  );
  const pair = cookie.name === "" ? "…" : `${cut(cookie.name, 60)}=…`;
  return [pair, ...words].join("; ");
}

function addTo(cookie: SetCookie, attributes: readonly string[]): Text {
  const { fr, en } = nameCookie(cookie);
  return {
    fr: `Ajoutez ${attributes.join(" et ")} au cookie ${fr}.`,
    en: `Add ${attributes.join(" and ")} to the cookie ${en}.`,
  };
}

/** Several responses may set the same cookie. */
function describeCookies(cookies: readonly SetCookie[]): string {
  const lines = new Set(cookies.map((cookie) => writeCookie(cookie)));
  return cut(`Set-Cookie: ${[...lines].join(" | ")}`, 250);
}

/** Browsers reject a cookie that breaks the rules of __Http- or __Host- (RFC 6265bis, 4.1.3). */
function findFlaw({ name, attributes }: SetCookie): "secure" | "http" | "host" | undefined {
  if (!attributes.has("secure")) return "secure";
  if (/^__(?:Host-)?Http-/i.test(name) && !attributes.has("httponly")) return "http";
  if (!/^__Host-/i.test(name)) return undefined;
  return attributes.get("path") === "/" && !attributes.get("domain") ? undefined : "host";
}

function flawedCookies(evidence: Evidence, hops: readonly Hop[]): SetCookie[] {
  return cookiesOf(evidence, hops).filter(findFlaw);
}

function fixCookie(cookie: SetCookie): Text {
  const name = nameCookie(cookie);
  if (findFlaw(cookie) === "host")
    return {
      fr: `Définissez Path=/ pour le cookie ${name.fr} et retirez-en Domain, comme l'exige son préfixe __Host-, ou changez son nom.`,
      en: `Set Path=/ on the cookie ${name.en} and remove its Domain, as the __Host- prefix requires, or change its name.`,
    };
  if (findFlaw(cookie) === "http") return addTo(cookie, ["HttpOnly"]);
  if (/^none$/i.test(cookie.attributes.get("samesite") ?? ""))
    return {
      fr: `Ajoutez Secure au cookie ${name.fr} : les navigateurs rejettent un cookie SameSite=None sans Secure.`,
      en: `Add Secure to the cookie ${name.en}: browsers reject a SameSite=None cookie without Secure.`,
    };
  if (cookie.attributes.has("partitioned"))
    return {
      fr: `Ajoutez Secure au cookie ${name.fr} : les navigateurs rejettent un cookie Partitioned sans Secure.`,
      en: `Add Secure to the cookie ${name.en}: browsers reject a Partitioned cookie without Secure.`,
    };
  if (/^__(?:Host|Secure|Http)-/i.test(cookie.name))
    return {
      fr: `Ajoutez Secure au cookie ${name.fr} : son préfixe l'exige, et les navigateurs rejettent le cookie sans lui.`,
      en: `Add Secure to the cookie ${name.en}: its prefix requires it, and browsers reject the cookie without it.`,
    };
  return addTo(cookie, ["Secure"]);
}

/** Browsers reject a Secure cookie that arrives over http (RFC 6265bis, 5.7). */
const PLAIN_FIX = {
  fr: "Ne posez pas ce cookie en http, où les navigateurs rejettent un cookie Secure. Redirigez d'abord vers https, puis posez-le avec Secure.",
  en: "Do not set this cookie over http, where browsers reject a Secure cookie. Redirect to https first, then set it with Secure.",
};

const NO_COOKIE = notApplicable({
  fr: "La page ne pose aucun cookie.",
  en: "The page sets no cookie.",
});

export const cookieSecure: Rule = {
  id: "cookie.secure",
  title: { fr: "Attribut Secure des cookies", en: "Secure cookie attribute" },
  measures: {
    fr: "Chaque cookie a l'attribut Secure et remplit les conditions de son préfixe (__Secure-, __Host-, __Http-), de SameSite=None et de Partitioned. Un cookie que la même réponse efface ne compte pas.",
    en: "Each cookie has the Secure attribute and meets the conditions of its prefix (__Secure-, __Host-, __Http-), of SameSite=None and of Partitioned. A cookie that the same response deletes does not count.",
  },
  why: {
    fr: "Un cookie sans Secure est aussi envoyé en http, où tout le réseau peut le lire. Un cookie qui enfreint les règles de son préfixe est rejeté.",
    en: "A cookie without Secure is also sent over http, where anyone on the network can read it. A cookie that breaks its prefix's rules is rejected.",
  },
  fix: {
    fr: "Ajoutez l'attribut Secure à chaque cookie.",
    en: "Add the Secure attribute to each cookie.",
  },
  standard: {
    name: "RFC 6265bis, 4.1.2.5",
    url: "https://httpwg.org/http-extensions/draft-ietf-httpbis-rfc6265bis.html#name-the-secure-attribute",
  },
  parents: (evidence) =>
    flawedCookies(evidence, evidence.plainHttp?.hops ?? []).length > 0
      ? ["reach.dns"]
      : ["reach.status"],
  judge(evidence) {
    const hops = [...evidence.page.hops, ...(evidence.plainHttp?.hops ?? [])];
    const cookies = cookiesOf(evidence, hops);
    if (cookies.length === 0) return NO_COOKIE;
    const flawed = cookies.filter(findFlaw);
    const [first] = flawed;
    if (!first) return pass(verbatim(describeCookies(cookies)));
    const flaw = findFlaw(first);
    const shown = describeCookies(flawed.filter((cookie) => findFlaw(cookie) === flaw));
    const prefix = flaw === "http" ? "__Http-" : "__Host-";
    const found =
      flaw === "secure"
        ? { fr: `Attribut Secure absent : ${shown}.`, en: `Secure attribute missing: ${shown}.` }
        : {
            fr: `Règles du préfixe ${prefix} enfreintes : ${shown}.`,
            en: `Rules of the ${prefix} prefix broken: ${shown}.`,
          };
    const secureHops = evidence.page.hops.filter(({ url }) => url.startsWith("https:"));
    const isOverHttps = cookiesOf(evidence, secureHops).some(findFlaw);
    return fail(found, isOverHttps ? fixCookie(first) : PLAIN_FIX);
  },
};

function missingGuards({ attributes }: SetCookie): string[] {
  // A partitioned cookie works in frames of one site only. SameSite=Lax would block it there.
  const isSameSite =
    attributes.has("partitioned") || /^(?:lax|strict)$/i.test(attributes.get("samesite") ?? "");
  return [
    ...(attributes.has("httponly") ? [] : ["HttpOnly"]),
    ...(isSameSite ? [] : ["SameSite=Lax"]),
  ];
}

/** SameSite=None may be meant for frames of other sites, or for a sign-in that returns by POST. */
function unlessUsed({ fr, en }: Text): Text {
  return {
    fr: `${fr} Conservez SameSite=None si la session sert dans une iframe d'un autre site, ou à une connexion ou un paiement qui revient par POST.`,
    en: `${en} Keep SameSite=None if the session is used in another site's frame, or by a sign-in or payment that returns by POST.`,
  };
}

function judgeSessions(evidence: Evidence): Judgement {
  const cookies = cookiesOf(evidence, evidence.page.hops);
  const sessions = cookies.filter(isSession);
  if (cookies.length === 0) return NO_COOKIE;
  if (sessions.length === 0)
    return notApplicable({
      fr: "Aucun cookie ne porte de nom de session.",
      en: "No cookie has a session name.",
    });
  const most = Math.max(...sessions.map((cookie) => missingGuards(cookie).length));
  const worst = sessions.filter((cookie) => missingGuards(cookie).length === most);
  const found = describeCookies(worst);
  const [first] = worst;
  if (!first || most === 0) return pass(verbatim(found));
  const unguarded = {
    fr: `Cookie de session mal protégé : ${found}.`,
    en: `Session cookie not fully protected: ${found}.`,
  };
  const missing = missingGuards(first);
  const added = addTo(first, missing);
  const isNone = /^none$/i.test(first.attributes.get("samesite") ?? "");
  const fix = isNone && missing.includes("SameSite=Lax") ? unlessUsed(added) : added;
  return most === 1 ? partial("one_of_two", unguarded, fix) : fail(unguarded, fix);
}

export const cookieSession: Rule = {
  id: "cookie.session",
  title: { fr: "Protection des cookies de session", en: "Session cookie protection" },
  measures: {
    fr: "Les cookies dont le nom évoque une session ont HttpOnly et SameSite (Lax ou Strict). Un seul des deux rapporte la moitié des points.",
    en: "Cookies whose name suggests a session have HttpOnly and SameSite (Lax or Strict). One of the two earns half the points.",
  },
  why: {
    fr: "Un script injecté peut voler la session, ou un autre site l'utiliser.",
    en: "An injected script can steal the session, or another site can use it.",
  },
  fix: {
    fr: "Ajoutez HttpOnly et SameSite=Lax au cookie.",
    en: "Add HttpOnly and SameSite=Lax to the cookie.",
  },
  standard: {
    name: "RFC 6265bis, 8.8",
    url: "https://httpwg.org/http-extensions/draft-ietf-httpbis-rfc6265bis.html#name-samesite-cookies",
  },
  parents: pageAnswer,
  judge: judgeSessions,
};
