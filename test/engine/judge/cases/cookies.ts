import { FOREIGN_ORIGIN } from "../evidence-fixtures.ts";
import { all, header, lastHop, refuseConnection } from "./page-edits.ts";
import { cases, each, type Edit } from "./rule-case.ts";

const cookies = (...values: string[]) => header("set-cookie", ...values);
const keepPage = lastHop({ status: 403 });

function allowOrigin(origin: string, credentials?: string): Edit {
  return (evidence) => {
    evidence.cors.headers = [["access-control-allow-origin", origin]];
    if (credentials !== undefined)
      evidence.cors.headers.push(["access-control-allow-credentials", credentials]);
  };
}

const answerForeign =
  (status: number | null): Edit =>
  ({ cors }) =>
    (cors.status = status);

const SESSIONS =
  "PHPSESSID JSESSIONID ASP.NET_SessionId ASPSESSIONIDQABCDEFG connect.sid sid sessionid SESSION koa.sess appSession auth auth_token authToken access_token accessToken token token_v2 jwt user_id userId login .ASPXAUTH _oauth2_proxy remember_me rememberMe remember_token remember_web_59ba36addc2b2f9401580f014c7f58ea4e30989d __Host-session __Secure-next-auth.session-token.0 sb-abc-auth-token laravel_session wordpress_logged_in_0f1e2d3c _myapp_session SESS0f1e2d3c4b5a69788796a5b4c3d2e1f0 SSESS0f1e2d3c4b5a69788796a5b4c3d2e1f0 KEYCLOAK_IDENTITY CognitoIdentityServiceProvider.4hk2.ann.accessToken client_session last_session_id first_party_session authenticated user_authenticated logged_in auth_at .AspNetCore.Identity.Application .AspNetCore.CookiesC1 fe_typo_user be_typo_user CAKEPHP symfony _shibsession_64656661 wordpress_sec_0f1e2d3c wp_woocommerce_session_0f1e2d3c bb_sessionhash LtpaToken2 _shop_key".split(
    " ",
  );
const OTHERS =
  "author authorName assessment obsession possession token_count tokenizer cookie_login_banner residue sidebar side_menu side reside consider unremembered last_login auth_return_to didomi_token is_logged_in auth_client_id session_experiment session_lang session_count authenticated_before was_logged_in logged_in_once logged_in_at loginAuthenticatedAt session_date auth_status session_source auth_banner user_id_type auth.strategy oauth_state session_flags analytics_session_id _key_shop api_key".split(
    " ",
  );

export const COOKIE_CASES = cases({
  "cookie.secure": {
    fail: {
      "no Secure": cookies("a=***; Path=/"),
      "__Host- with a domain": cookies("__host-a=***; Secure; Path=/; Domain=example.com"),
      "__Host- without a path": cookies("__Host-a=***; Secure"),
      "__Http- without HttpOnly": cookies("__Http-a=***; Secure; Path=/"),
      "__Host-Http- without HttpOnly": cookies("__Host-Http-a=***; Secure; Path=/"),
      "__Host-Http- with a domain": cookies(
        "__Host-Http-a=***; Secure; HttpOnly; Path=/; Domain=example.com",
      ),
      "SameSite=None without Secure": cookies("a=***; SameSite=None"),
      "Partitioned without Secure": cookies("a=***; Path=/; Partitioned"),
      "__Secure- without Secure": cookies("__secure-a=***; Path=/"),
      "the last Path of two": cookies("__Host-a=***; Secure; Path=/; Path=/x"),
      "Max-Age over Expires": cookies("a=***; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT"),
      "a 31 February": cookies("a=***; Expires=31 Feb 1970 00:00:00 GMT"),
      "a Max-Age that is no number": cookies("a=***; Max-Age=0s"),
      "an Expires that is no date": cookies("a=***; Expires=never"),
      "an Expires to come": cookies("a=***; expires=Sat, 21-Nov-26 08:30:00 GMT"),
      "another path, another cookie": cookies("a=***; Path=/x", "a=***; Path=/; Secure"),
      "set over http, though the page is not reached": all(refuseConnection, (e) =>
        e.plainHttp?.hops[0]?.headers.push(["set-cookie", "a=***; Path=/"]),
      ),
      "a name without a value": cookies("a="),
      "a value without a name": cookies("***"),
      "for the host itself, which is a public suffix": all(
        lastHop({ url: "https://github.io/" }),
        cookies("a=***; Domain=github.io"),
      ),
    },
    not_applicable: {
      "deleted by Max-Age": cookies("a=***; Max-Age=0"),
      "deleted by Expires": cookies(
        "a=***; Expires=Thu, 01-Jan-1970 00:00:10 GMT",
        "b=***; Expires=Wed, 18 Nov 2026 23:59:59",
      ),
      "neither a name nor a value, which browsers ignore": cookies(
        "",
        "=",
        " = ; Path=/",
        "; HttpOnly",
      ),
      "set and deleted by one answer": cookies("a=***; Path=/", "a=; Path=/; Max-Age=-1"),
      "for another domain, which browsers refuse": cookies("a=***; Domain=example.org"),
      "for a public suffix, which browsers refuse": cookies("a=***; Domain=com"),
      "for a host's public suffix, which browsers refuse": all(
        lastHop({ url: "https://tea.github.io/" }),
        cookies("a=***; Domain=.github.io"),
      ),
    },
    pass: {
      "__Host- in order": cookies("__Host-a=***; path=/; SECURE"),
      "Secure with a value": cookies("a=***; Secure=false"),
      "an empty Domain": cookies("__Host-a=***; Secure; Path=/; Domain="),
      "the last of two of one name": cookies("a=***", "a=***; Path=/; Secure"),
      "the whole domain": cookies("a=***; Secure; Domain=.Example.com"),
    },
  },
  "cookie.session": {
    fail: {
      neither: cookies("PHPSESSID=***; Secure"),
      "the worst of two": cookies("sid=***; HttpOnly; SameSite=Lax", "auth_token=***"),
      ...each(SESSIONS, (name) => [name, cookies(`${name}=***`)]),
    },
    not_applicable: {
      ...each(OTHERS, (name) => [name, cookies(`${name}=***`)]),
      "a load balancer's affinity": cookies("heroku-session-affinity=***; Secure"),
      deleted: cookies("PHPSESSID=***; Max-Age=0"),
      "a forgery token, which scripts read": cookies("XSRF-TOKEN=***; Secure", "theme=***"),
      "ASP.NET's and Rails's forgery tokens": cookies(
        "__RequestVerificationToken_L2E1=***; Secure",
        "authenticity_token=***; Secure",
      ),
    },
    partial: {
      "HttpOnly alone": cookies("connect.sid=***; HttpOnly"),
      "the last SameSite of two, which nobody knows": cookies(
        "sid=***; HttpOnly; SameSite=Lax; SameSite=Laxx",
      ),
      "SameSite=None is no guard": cookies("sid=***; HttpOnly; Secure; SameSite=None"),
    },
    pass: {
      "both, whatever the case": cookies("JSESSIONID=***; httponly; samesite=STRICT"),
      "partitioned, which SameSite=Lax would end": cookies(
        "sid=***; Secure; HttpOnly; SameSite=None; Partitioned",
      ),
    },
  },
  "cors.credentials": {
    fail: {
      null: allowOrigin("null", "true"),
      "a reflection behind a gatekeeper": all(keepPage, allowOrigin(FOREIGN_ORIGIN, "true")),
      "an error that reflects": all(answerForeign(500), allowOrigin(FOREIGN_ORIGIN, "true")),
    },
    unknown: {
      "no answer": answerForeign(null),
      "a redirect, which is not the page": answerForeign(302),
      "an error, where the page has none": answerForeign(500),
    },
    pass: {
      "the error that the page is": all(answerForeign(404), lastHop({ status: 404 })),
      "a reflection without credentials": allowOrigin(FOREIGN_ORIGIN),
      "credentials in capitals are none": allowOrigin(FOREIGN_ORIGIN, "TRUE"),
      "a wildcard, which credentials void": allowOrigin("*", "true"),
      "an origin with a slash, which is none": allowOrigin(`${FOREIGN_ORIGIN}/`, "true"),
      "two origins, which browsers refuse": all(
        allowOrigin(FOREIGN_ORIGIN, "true"),
        allowOrigin(`${FOREIGN_ORIGIN}, *`, "true"),
      ),
      "one fixed origin under a name that nobody can own": allowOrigin(
        "https://app.example",
        "true",
      ),
      "one fixed origin of a partner": allowOrigin("https://partner.dev", "true"),
    },
    partial: {
      "a reflection on a page without a session": all(
        cookies("theme=***; Path=/; Secure"),
        allowOrigin(FOREIGN_ORIGIN, "true"),
      ),
      "null on a page without a session": all(cookies(), allowOrigin("null", "true")),
    },
  },
});
