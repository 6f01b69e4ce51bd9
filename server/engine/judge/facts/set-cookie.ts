import type { Hop } from "../../evidence/exchange.ts";
import { headerValues, urlOf } from "../../evidence/page.ts";
import type { SetCookie } from "../../../base/syntax/set-cookie.ts";
import { findScope, isDeleted, parseSetCookie, pathOf } from "../../../base/syntax/set-cookie.ts";

/**
 * The cookies that an answer leaves set, in the order of their last lines: of those with the same name, domain and
 * path only the last. Without cookies that the answer itself deletes, and those that browsers reject for their Domain.
 * `now` is in milliseconds since 1970.
 */
export function readCookies(hop: Hop, now: number): SetCookie[] {
  const url = urlOf(hop.url);
  const cookies = new Map<string, SetCookie>();
  for (const line of headerValues(hop.headers, "set-cookie")) {
    const cookie = parseSetCookie(line);
    const scope = cookie && findScope(cookie, url);
    if (!cookie || !scope) continue;
    const identity = JSON.stringify([cookie.name, scope, pathOf(cookie, url)]);
    cookies.delete(identity);
    if (!isDeleted(cookie, now)) cookies.set(identity, cookie);
  }
  return [...cookies.values()];
}
