import type { Evidence, Hop } from "../../probe/evidence.ts";
import { headerValues } from "../page.ts";
import {
  type Judgement,
  type Rule,
  cut,
  fail,
  notApplicable,
  pageAnswer,
  partial,
  pass,
  text,
  verbatim,
} from "../rule.ts";

interface Cookie {
  readonly name: string;
  /** Lower-cased names, with their values; of two the last counts (RFC 6265bis, 5.6). */
  readonly attributes: ReadonlyMap<string, string>;
}

function parseCookie(line: string): Cookie {
  const [pair = "", ...parts] = line.split(";");
  const equals = pair.indexOf("=");
  const attributes = parts.map((part): [string, string] => {
    const [name = "", ...value] = part.split("=");
    return [name.trim().toLowerCase(), value.join("=").trim()];
  });
  return { name: pair.slice(0, Math.max(equals, 0)).trim(), attributes: new Map(attributes) };
}

function cookiesOf(hops: readonly Hop[]): Cookie[] {
  return hops.flatMap((hop) => headerValues(hop.headers, "set-cookie")).map(parseCookie);
}

function describeCookie({ name, attributes }: Cookie): string {
  const words = [...attributes].map(([key, value]) => (value === "" ? key : `${key}=${value}`));
  return [name === "" ? "(…)" : cut(name, 60), ...words].join("; ");
}

function describeCookies(cookies: readonly Cookie[]): string {
  return cut(cookies.map(describeCookie).join(" | "), 250);
}

/** Secure, and what a name's prefix promises (RFC 6265bis, 4.1.3). SameSite=None needs no more than Secure. */
function isSecure({ name, attributes }: Cookie): boolean {
  if (!attributes.has("secure")) return false;
  if (!/^__Host-/i.test(name)) return true;
  return attributes.get("path") === "/" && !attributes.get("domain");
}

function insecureCookies(hops: readonly Hop[]): Cookie[] {
  return cookiesOf(hops).filter((cookie) => !isSecure(cookie));
}

const NO_COOKIE = notApplicable(text("La page ne pose aucun cookie.", "The page sets no cookie."));

export const cookieSecure: Rule = {
  id: "cookie.secure",
  title: text("Cookies réservés à https", "Cookies kept to https"),
  measures: text(
    "Chaque cookie posé a l'attribut Secure, et tient ce que promet son préfixe (__Secure-, __Host-) ou SameSite=None.",
    "Each cookie that is set has the Secure attribute, and keeps what its prefix (__Secure-, __Host-) or SameSite=None promises.",
  ),
  matters: text(
    "Un cookie sans Secure part aussi en http, où quiconque sur le réseau le lit ; un préfixe non tenu le fait rejeter.",
    "A cookie without Secure also travels over http, where anyone on the network reads it; one that breaks its prefix is rejected.",
  ),
  fix: text(
    "Ajoutez Secure à chaque cookie, par exemple : Set-Cookie: nom=…; Path=/; Secure; HttpOnly; SameSite=Lax",
    "Add Secure to each cookie, for instance: Set-Cookie: name=…; Path=/; Secure; HttpOnly; SameSite=Lax",
  ),
  standard: {
    name: "RFC 6265bis, 4.1.2.5",
    url: "https://httpwg.org/http-extensions/draft-ietf-httpbis-rfc6265bis.html#name-the-secure-attribute",
  },
  parents: ({ plainHttp }) =>
    insecureCookies(plainHttp?.hops ?? []).length > 0 ? ["reach.dns"] : ["reach.status"],
  judge({ page, plainHttp }) {
    const hops = [...page.hops, ...(plainHttp?.hops ?? [])];
    const cookies = cookiesOf(hops);
    if (cookies.length === 0) return NO_COOKIE;
    const insecure = insecureCookies(hops);
    const shown = describeCookies(insecure.length > 0 ? insecure : cookies);
    return insecure.length > 0 ? fail(verbatim(shown)) : pass(verbatim(shown));
  },
};

const SESSION_NAME =
  /sess|(?:^|[._-])sids?(?:$|[._-])|connect\.sid|auth|token|jwt|login|logged|remember|user_?id/i;
/** Read by the page's own script to be sent back: HttpOnly would break it. */
const FORGERY_TOKEN_NAME = /csrf|xsrf|forgery/i;

function isSession({ name }: Cookie): boolean {
  return SESSION_NAME.test(name) && !FORGERY_TOKEN_NAME.test(name);
}

function countGuards({ attributes }: Cookie): number {
  const isSameSite = /^(?:lax|strict)$/i.test(attributes.get("samesite") ?? "");
  return Number(attributes.has("httponly")) + Number(isSameSite);
}

function judgeSessions(evidence: Evidence): Judgement {
  const cookies = cookiesOf(evidence.page.hops);
  const sessions = cookies.filter(isSession);
  if (cookies.length === 0) return NO_COOKIE;
  if (sessions.length === 0)
    return notApplicable(
      text("Aucun cookie n'a l'air d'une session.", "No cookie looks like a session."),
    );
  const fewest = Math.min(...sessions.map(countGuards));
  const shown = describeCookies(sessions.filter((cookie) => countGuards(cookie) === fewest));
  const seen = verbatim(shown);
  if (fewest === 2) return pass(seen);
  return fewest === 1 ? partial("one_of_two", seen) : fail(seen);
}

export const cookieSession: Rule = {
  id: "cookie.session",
  title: text("Cookies de session protégés", "Protected session cookies"),
  measures: text(
    "Les cookies dont le nom évoque une session ont HttpOnly et SameSite (Lax ou Strict) ; l'un des deux vaut la moitié.",
    "Cookies whose name suggests a session have HttpOnly and SameSite (Lax or Strict); one of the two is worth half.",
  ),
  matters: text(
    "Un script injecté peut voler la session, ou un autre site s'en servir.",
    "An injected script can steal the session, or another site use it.",
  ),
  fix: text(
    "Ajoutez au cookie : HttpOnly; SameSite=Lax",
    "Add to the cookie: HttpOnly; SameSite=Lax",
  ),
  standard: {
    name: "RFC 6265bis, 8.8",
    url: "https://httpwg.org/http-extensions/draft-ietf-httpbis-rfc6265bis.html#name-samesite-cookies",
  },
  parents: pageAnswer,
  judge: judgeSessions,
};
