import type { Evidence } from "../../evidence/evidence.ts";
import type { Hop } from "../../evidence/exchange.ts";
import type { SetCookie } from "../../../base/syntax/set-cookie.ts";
import { readCookies } from "./set-cookie.ts";

/** The cookies left set by the page's answers. */
export function cookiesOf(evidence: Evidence, hops: readonly Hop[]): SetCookie[] {
  const now = Date.parse(evidence.checkedAt);
  return hops.flatMap((hop) => readCookies(hop, now));
}

/** Names of Drupal and classic ASP, which end in random characters. */
const DRAWN_NAME = /^(?:S?SESS[0-9a-f]{32}|ASPSESSIONID[A-Z]+)$/i;
/**
 * Matched against a name's words, in lower case and joined by `-`: `-jsessionid-`, `-asp-net-session-id-`,
 * `-auth-token-`.
 */
const SESSION_WORDS =
  /-(?:(?:app|user|web|php)?sess(?:ion)?s?|[a-z]*sess(?:ion)?id|session(?:key|token)|sids?|o?auth|aspxauth|authn|authenticat(?:ed|ion)|authorization|(?:auth|access|refresh|user|login|remember)token|jwt|logged(?:-?in)?|user-?id|remember-?(?:me|user|web|token|(?=-$))|(?:token|login)(?=-(?:v?-?\d+-)?$))(?=-)/;
/**
 * Names that are not a session's. A forgery token, as of ASP.NET and Rails, is read by the page's own script, which
 * HttpOnly would break; an affinity cookie only chooses a server.
 */
const NO_SESSION_NAME = /csrf|xsrf|forgery|requestverification|authenticity|affinity/i;

/** The words of a name, separated by white space, punctuation, digits or capitals. */
function joinWords(name: string): string {
  const words = name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? [];
  return `-${words.join("-").toLowerCase()}-`;
}

/** Whether the cookie's name suggests a session. */
export function isSession({ name }: SetCookie): boolean {
  if (NO_SESSION_NAME.test(name)) return false;
  return DRAWN_NAME.test(name) || SESSION_WORDS.test(joinWords(name));
}

/** The cookies of the page's answers whose names suggest a session. */
export function findSessions(evidence: Evidence): SetCookie[] {
  return cookiesOf(evidence, evidence.page.hops).filter(isSession);
}
