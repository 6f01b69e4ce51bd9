import type { Text } from "../../../base/language.ts";
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

/** The cookie as a Set-Cookie line without its value; `more` comes first, so that it is never cut off. */
function writeCookie(cookie: SetCookie, ...more: readonly string[]): string {
  const words = [...cookie.attributes].map(([key, value]) =>
    value === "" ? key : `${key}=${value}`,
  );
  const pair = cookie.name === "" ? "…" : `${cut(cookie.name, 60)}=…`;
  return [pair, ...more, ...words].join("; ");
}

const MAX_LINE_LENGTH = 200;

/** The line to send or, if the cookie has no name or the line would be cut, what to add to the cookie. */
function addTo(cookie: SetCookie, ...more: readonly string[]): Text {
  const line = writeCookie(cookie, ...more);
  const isWhole = line.length <= MAX_LINE_LENGTH && cookie.name.length <= 60;
  if (isWhole && cookie.name !== "")
    return { fr: `Envoyez : Set-Cookie: ${line}`, en: `Send: Set-Cookie: ${line}` };
  const name = nameCookie(cookie);
  const added = more.join("; ");
  return {
    fr: `Ajoutez au cookie ${name.fr} : ${added}`,
    en: `Add to the cookie ${name.en}: ${added}`,
  };
}

/** Lists each line once, since several answers may set the same cookie. */
function describeCookies(cookies: readonly SetCookie[]): string {
  const lines = new Set(cookies.map((cookie) => writeCookie(cookie)));
  return cut(`Set-Cookie: ${[...lines].join(" | ")}`, 250);
}

/**
 * Why the cookie is unsafe, or is not set at all: it lacks Secure, or breaks the rules of __Host- (RFC 6265bis,
 * 4.1.3).
 */
function findFlaw({ name, attributes }: SetCookie): "secure" | "host" | undefined {
  if (!attributes.has("secure")) return "secure";
  if (!/^__Host-/i.test(name)) return undefined;
  return attributes.get("path") === "/" && !attributes.get("domain") ? undefined : "host";
}

function flawedCookies(evidence: Evidence, hops: readonly Hop[]): SetCookie[] {
  return cookiesOf(evidence, hops).filter(findFlaw);
}

/** How to fix a flawed cookie. */
function fixCookie(cookie: SetCookie): Text {
  const name = nameCookie(cookie);
  if (findFlaw(cookie) === "host")
    return {
      fr: `Au cookie ${name.fr}, donnez Path=/ et retirez Domain, ou changez son nom : __Host- exige l'un et l'autre.`,
      en: `Give the cookie ${name.en} Path=/ and no Domain, or change its name: __Host- asks for both.`,
    };
  if (/^none$/i.test(cookie.attributes.get("samesite") ?? ""))
    return {
      fr: `Ajoutez Secure au cookie ${name.fr} : avec SameSite=None et sans lui, les navigateurs le refusent.`,
      en: `Add Secure to the cookie ${name.en}: with SameSite=None and without it, browsers refuse it.`,
    };
  if (/^__(?:Host|Secure)-/i.test(cookie.name))
    return {
      fr: `Ajoutez Secure au cookie ${name.fr} : son préfixe l'exige, les navigateurs le refusent sans lui.`,
      en: `Add Secure to the cookie ${name.en}: its prefix asks for it, and browsers refuse it without.`,
    };
  return addTo(cookie, "Secure");
}

/** Browsers refuse a Secure cookie that comes over http (RFC 6265bis, 5.7). */
const PLAIN_FIX = {
  fr: "Ne posez pas ce cookie en http, où les navigateurs refusent Secure : redirigez d'abord vers https, et posez-le là avec Secure.",
  en: "Do not set this cookie over http, where browsers refuse Secure: redirect to https first, and set it there with Secure.",
};

const NO_COOKIE = notApplicable({
  fr: "La page ne pose aucun cookie.",
  en: "The page sets no cookie.",
});

export const cookieSecure: Rule = {
  id: "cookie.secure",
  title: { fr: "Cookies réservés à https", en: "Cookies kept to https" },
  measures: {
    fr: "Chaque cookie posé a l'attribut Secure, et tient ce que promet son préfixe (__Secure-, __Host-) ou SameSite=None. Un cookie effacé par la même réponse ne compte pas.",
    en: "Each cookie that is set has the Secure attribute, and keeps what its prefix (__Secure-, __Host-) or SameSite=None promises. A cookie that the same answer deletes does not count.",
  },
  matters: {
    fr: "Un cookie sans Secure part aussi en http, où quiconque sur le réseau le lit ; un préfixe non tenu le fait rejeter.",
    en: "A cookie without Secure also travels over http, where anyone on the network reads it; one that breaks its prefix is rejected.",
  },
  fix: {
    fr: "Ajoutez Secure à chaque cookie, par exemple : Set-Cookie: nom=…; Path=/; Secure; HttpOnly; SameSite=Lax",
    en: "Add Secure to each cookie, for instance: Set-Cookie: name=…; Path=/; Secure; HttpOnly; SameSite=Lax",
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
    const seen =
      flaw === "secure"
        ? { fr: `Sans Secure : ${shown}.`, en: `Without Secure: ${shown}.` }
        : { fr: `Préfixe __Host- non tenu : ${shown}.`, en: `Broken __Host- prefix: ${shown}.` };
    const secureHops = evidence.page.hops.filter(({ url }) => url.startsWith("https:"));
    const isOverHttps = cookiesOf(evidence, secureHops).some(findFlaw);
    return fail(seen, isOverHttps ? fixCookie(first) : PLAIN_FIX);
  },
};

/** The attributes that a session cookie lacks. */
function missingGuards({ attributes }: SetCookie): string[] {
  // A partitioned cookie belongs to one site and its frames, where SameSite=Lax would end it.
  const isSameSite =
    attributes.has("partitioned") || /^(?:lax|strict)$/i.test(attributes.get("samesite") ?? "");
  return [
    ...(attributes.has("httponly") ? [] : ["HttpOnly"]),
    ...(isSameSite ? [] : ["SameSite=Lax"]),
  ];
}

function judgeSessions(evidence: Evidence): Judgement {
  const cookies = cookiesOf(evidence, evidence.page.hops);
  const sessions = cookies.filter(isSession);
  if (cookies.length === 0) return NO_COOKIE;
  if (sessions.length === 0)
    return notApplicable({
      fr: "Aucun cookie n'a l'air d'une session.",
      en: "No cookie looks like a session.",
    });
  const most = Math.max(...sessions.map((cookie) => missingGuards(cookie).length));
  const worst = sessions.filter((cookie) => missingGuards(cookie).length === most);
  const seen = verbatim(describeCookies(worst));
  const [first] = worst;
  if (!first || most === 0) return pass(seen);
  const attributes = new Map(first.attributes);
  if (missingGuards(first).includes("SameSite=Lax")) attributes.delete("samesite");
  const fix = addTo({ ...first, attributes }, ...missingGuards(first));
  return most === 1 ? partial("one_of_two", seen, fix) : fail(seen, fix);
}

export const cookieSession: Rule = {
  id: "cookie.session",
  title: { fr: "Cookies de session protégés", en: "Protected session cookies" },
  measures: {
    fr: "Les cookies dont le nom évoque une session ont HttpOnly et SameSite (Lax ou Strict) ; l'un des deux vaut la moitié.",
    en: "Cookies whose name suggests a session have HttpOnly and SameSite (Lax or Strict); one of the two is worth half.",
  },
  matters: {
    fr: "Un script injecté peut voler la session, ou un autre site s'en servir.",
    en: "An injected script can steal the session, or another site use it.",
  },
  fix: {
    fr: "Ajoutez au cookie : HttpOnly; SameSite=Lax",
    en: "Add to the cookie: HttpOnly; SameSite=Lax",
  },
  standard: {
    name: "RFC 6265bis, 8.8",
    url: "https://httpwg.org/http-extensions/draft-ietf-httpbis-rfc6265bis.html#name-samesite-cookies",
  },
  parents: pageAnswer,
  judge: judgeSessions,
};
