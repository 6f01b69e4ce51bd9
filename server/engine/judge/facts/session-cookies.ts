import type { Hop } from "../../evidence/exchange.ts";
import { headerValues, urlOf } from "../../evidence/accessors.ts";
import {
  type SetCookie,
  findScope,
  isDeleted,
  parseSetCookie,
  pathOf,
} from "../../../base/syntax/set-cookie.ts";
import type { Evidence } from "../../evidence/evidence.ts";

/** Excludes deleted cookies, and cookies that browsers reject for their Domain. `now`: milliseconds since 1970. */
export function readCookies(hop: Hop, now: number): SetCookie[] {
  const url = urlOf(hop.url);
  const cookies = new Map<string, SetCookie>();
  for (const line of headerValues(hop.headers, "set-cookie")) {
    const cookie = parseSetCookie(line);
    const scope = cookie && findScope(cookie, url);
    if (!cookie || !scope) continue;
    const identity = JSON.stringify([cookie.name, scope, pathOf(cookie, url)]);
    // A cookie that is set again moves to the position of its last line.
    cookies.delete(identity);
    if (!isDeleted(cookie, now)) cookies.set(identity, cookie);
  }
  return [...cookies.values()];
}

export function cookiesOf(evidence: Evidence, hops: readonly Hop[]): SetCookie[] {
  const now = Date.parse(evidence.checkedAt);
  return hops.flatMap((hop) => readCookies(hop, now));
}

/**
 * Drupal, classic ASP, WordPress, WooCommerce, Laravel, ASP.NET Core, TYPO3, CakePHP, Symfony, Shibboleth, SiteMinder,
 * Tomcat, WebSphere, Mattermost, vBulletin and oauth2-proxy use these names only for sessions.
 */
const SESSION_NAME =
  /^(?:S?SESS[0-9a-f]{32}|ASPSESSIONID[A-Z]+|wordpress_(?:sec|logged_in)_[0-9a-f]+|wp_woocommerce_session_[0-9a-f]+|remember_\w+_[0-9a-f]{40}|\.AspNetCore\.(?:Identity\.Application|Cookies)(?:C\d+)?|[fb]e_typo_user|CAKEPHP|symfony|_shibsession_\w+|SMSESSION|JSESSIONIDSSO|LtpaToken2?|MMAUTHTOKEN|bb_?sessionhash|_oauth2_proxy(?:_\d+)?)$/i;
const PHOENIX_NAME = /^_[a-z][a-z0-9_]*_key$/;
/**
 * Matches names that are split into lower-case words and joined by hyphens: `-jsessionid-`, `-asp-net-session-id-`,
 * `-auth-token-`.
 */
const SESSION_WORDS =
  /-(?:keycloak-identity|(?:app|user|web|php)?sess(?:ion)?s?|[a-z]*sess(?:ion)?id|session(?:key|token)|sids?|o?auth|aspxauth|authn|authenticat(?:ed|ion)|authorization|(?:auth|access|refresh|user|login|remember)token|jwt|logged(?:-?in)?|user-?id|remember-?(?:me|user|web|token|(?=-$))|(?:token|login)(?=-(?:v?-?\d+-)?$))(?=-)/;
/**
 * The page's own script reads a forgery token, so HttpOnly would break it. An affinity cookie only chooses a server.
 */
const NO_SESSION_NAME = /csrf|xsrf|forgery|requestverification|authenticity|affinity/i;
/** Matches names such as `is_logged_in`, `authenticated_before`, `last_login` and `session_lang`. */
const ABOUT_SESSION =
  /^-(?:is|has|was|had|did)-|-(?:last-login|before|once|ever|already|previously)-|-(?:return|redirect|consent|didomi|experiment|variant|analytics|state)-|-(?:in|[a-z]+ed)-at-$|-(?:client-id|count|start(?:ed)?|since|date|time(?:stamp|zone)?|expires?|expiry|timeout|lang(?:uage)?|locale|country|currency|theme|method|mode|type|version|provider|hint|status|flags?|strategy|seen|shown|dismissed|banner|prompt|notice|url|path|page|referrer|source)-$/;
/** Matches names such as `connect.sid` and `laravel_session`, in the form that SESSION_WORDS uses. */
const SESSION_END =
  /-(?:[a-z]*sess(?:ion)?(?:-?id)?|sids?|session-?(?:key|token)|(?:auth|access|refresh|login|remember)-?token|jwt|aspxauth|keycloak-identity|remember-?me)(?:-v?-?\d+)?-$/;

function joinWords(name: string): string {
  const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
  return `-${words.join("-").toLowerCase()}-`;
}

export function isSession({ name }: Pick<SetCookie, "name">): boolean {
  const words = joinWords(name);
  if (NO_SESSION_NAME.test(name) || ABOUT_SESSION.test(words)) return false;
  return SESSION_NAME.test(name) || PHOENIX_NAME.test(name) || SESSION_WORDS.test(words);
}

export function isKnownSession(cookie: Pick<SetCookie, "name">): boolean {
  const { name } = cookie;
  if (!isSession(cookie)) return false;
  return SESSION_NAME.test(name) || SESSION_END.test(joinWords(name));
}

export function findSessions(evidence: Evidence): SetCookie[] {
  return cookiesOf(evidence, evidence.page.hops).filter(isSession);
}
