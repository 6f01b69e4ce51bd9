import { parse } from "tldts";
import type { Evidence } from "../../evidence/evidence.ts";
import { findAnswer, urlOf } from "../../evidence/accessors.ts";
import { areOfOneDomain, domainOfHost } from "../../../base/syntax/host-pattern.ts";
import { isRoot } from "./host-relations.ts";
import { splitTitle } from "./stand-in-words.ts";
import { foldWords, trimWords } from "./stand-ins.ts";

const PROVIDERS = [
  "accounts.google.com",
  "login.microsoftonline.com",
  "login.microsoftonline.us",
  "login.live.com",
  "login.windows.net",
  "b2clogin.com",
  "ciamlogin.com",
  "auth0.com",
  "okta.com",
  "oktapreview.com",
  "okta-emea.com",
  "onelogin.com",
  "cloudflareaccess.com",
  "amazoncognito.com",
  "awsapps.com",
  "signin.aws.amazon.com",
  "duosecurity.com",
  "pingone.com",
  "pingone.eu",
  "pingidentity.com",
  "jumpcloud.com",
  "clerk.accounts.dev",
  "workos.com",
  "stytch.com",
  "fusionauth.io",
  "zitadel.cloud",
  "appleid.apple.com",
  "id.atlassian.com",
  "auth.atlassian.com",
  "captcha-delivery.com",
  "validate.perfdrive.com",
];
const LOGIN_LABEL =
  /^(?:login|logon|signin|sign-in|sso|auth|oauth2?|oidc|saml|idp|id|identity|accounts?|cas|adfs|sts|keycloak|consent|guce)$/;
const LOGIN_SEGMENT =
  /^(?:log-?in|log_in|logon|sign-?in|sign_in|sso|sso-api|oauth2?|oidc|openid-connect|authorize|authenticate|auth|saml2?|cas|adfs|wsfed|connexion|anmelden|consent)(?:\.(?:php|aspx?|html?|jsp|do))?$/i;

const REDIRECTORS = new Set(
  (
    "bit.ly bitly.com t.co goo.gl g.co forms.gle maps.app.goo.gl g.page lnkd.in youtu.be tinyurl.com ow.ly buff.ly " +
    "is.gd v.gd rebrand.ly rb.gy cutt.ly shorturl.at t.ly tiny.cc tiny.one amzn.to amzn.eu amzn.asia a.co fb.me m.me " +
    "wa.me redd.it aka.ms apple.co spoti.fi msft.it nyti.ms wapo.st trib.al dlvr.it ift.tt geni.us git.io gh.io " +
    "doi.org dx.doi.org hdl.handle.net n2t.net purl.org w3id.org l.facebook.com l.instagram.com lm.facebook.com " +
    "out.reddit.com href.li link.medium.com urldefense.com urlz.fr urlr.me s.id soo.gd bl.ink short.io adf.ly " +
    "ebay.us etsy.me pin.it flip.it mcaf.ee db.tt eepurl.com mailchi.mp on.soundcloud.com go.microsoft.com"
  ).split(" "),
);

export interface Move {
  from: string;
  to: string;
  /**
   * The registrable domains of both hosts; a private suffix such as github.io counts as a suffix. A host without one is
   * used whole.
   */
  domains: readonly [from: string, to: string];
  kind: "none" | "same" | "same_name" | "own_domain" | "redirector" | "login" | "other";
  /** Whether each redirect to another domain is permanent (301 or 308). */
  isPermanent: boolean;
}

const OPTIONS = { allowPrivateDomains: true };

function isUnder(host: string, names: readonly string[]): boolean {
  return names.some((name) => host === name || host.endsWith(`.${name}`));
}

function isLoginHost({ hostname }: URL): boolean {
  const labels = hostname.split(".").slice(0, -2);
  return isUnder(hostname, PROVIDERS) || labels.some((label) => LOGIN_LABEL.test(label));
}

function isLogin(url: URL): boolean {
  return isLoginHost(url) || url.pathname.split("/").some((segment) => LOGIN_SEGMENT.test(segment));
}

const SIGN_IN_END =
  /\/(?:(?:wp-)?log-?in|log_in|logon|sign-?in|sign_in|connexion|se-connecter|anmelden|anmeldung|einloggen|inloggen|accedi|entrar|iniciar-sesion|logowanie|logga-in|prihlaseni|giris|sessions?\/new)(?:\.[a-z]+)?\/?$/i;

export function isSignInPath(pathname: string): boolean {
  return SIGN_IN_END.test(pathname);
}

const WAY_BACK =
  /^(?:next|return|redirect|callback|continue|back|dest|goto|from|target|service|relaystate|(?:r|ref|url)$)/i;

const SIGN_IN =
  /^(?:please )?(?:log ?-?in|sign ?-?in|connexion|se connecter|connectez-vous|anmelden|anmeldung|einloggen|inloggen|accedi|entrar|iniciar sesion|logga in)(?: (?:to|with|a|bei) .{1,60}| required)?$/;
const MAX_SIGN_IN_TEXT = 600;

function showsSignIn({ page }: Evidence): boolean {
  const html = page.body?.html;
  if (!html || html.textLength > MAX_SIGN_IN_TEXT) return false;
  const names = [...splitTitle(html.title ?? ""), ...html.headings.slice(0, 1)];
  const isNamed = names.some((name) => SIGN_IN.test(trimWords(foldWords(name))));
  return isNamed && html.forms.some(({ hasPassword }) => hasPassword);
}

/** A root that redirects to its sign-in is an ordinary app. */
export function findSignIn(evidence: Evidence): URL | undefined {
  const answer = findAnswer(evidence);
  if (!answer || answer.status < 200 || answer.status > 299) return undefined;
  const [requested, last] = [urlOf(evidence.url), urlOf(answer.url)];
  if (isRoot(requested.pathname) || isLogin(requested)) return undefined;
  if (!areOfOneDomain(requested.hostname, last.hostname)) return undefined;
  if (requested.pathname === last.pathname && requested.hostname === last.hostname)
    return !isSignInPath(last.pathname) && showsSignIn(evidence) ? last : undefined;
  if (isSignInPath(last.pathname)) return last;
  const forms = evidence.page.body?.html?.forms ?? [];
  const leadsBack = [...last.searchParams.keys()].some((name) => WAY_BACK.test(name));
  const isMeant = leadsBack || forms.some(({ hasPassword }) => hasPassword);
  return isLogin(last) && isMeant ? last : undefined;
}

/** `tea.fr`, `tea.co.uk` and `tea.app` have the same name. */
function isSameName(from: string, to: string): boolean {
  const [a, b] = [parse(from, OPTIONS), parse(to, OPTIONS)];
  const hasOneName =
    a.domainWithoutSuffix !== "" && a.domainWithoutSuffix === b.domainWithoutSuffix;
  return hasOneName && !a.isPrivate && !b.isPrivate;
}

/** Hosts that give sites a name below their own, but are not on the list of public suffixes. */
const PLATFORMS = [
  "squarespace.com",
  "wordpress.com",
  "ghost.io",
  "substack.com",
  "tumblr.com",
  "bigcartel.com",
  "typepad.com",
  "jimdo.com",
];

/** Platforms redirect like this: `tea.netlify.app` to the site's own domain, `tea.com`. */
function isOwnDomain(from: string, to: string): boolean {
  const isPlatform = (host: string) =>
    parse(host, OPTIONS).isPrivate === true || isUnder(host, PLATFORMS);
  return isPlatform(from) && !isPlatform(to);
}

export function findMove(evidence: Evidence): Move | undefined {
  const answer = findAnswer(evidence);
  if (!answer) return undefined;
  const [first, last] = [urlOf(evidence.url), urlOf(answer.url)];
  const [from, to] = [first.hostname, last.hostname];
  const domains = [domainOfHost(from), domainOfHost(to)] as const;
  const kind = findMoveKind(from, last, domains);
  return { from, to, domains, kind, isPermanent: isPermanent(evidence) };
}

function findMoveKind(from: string, last: URL, domains: Move["domains"]): Move["kind"] {
  const to = last.hostname;
  if (from === to) return "none";
  if (domains[0] === domains[1]) return "same";
  if (isLogin(last)) return "login";
  if (REDIRECTORS.has(from.replace(/^www\./, ""))) return "redirector";
  if (isSameName(from, to)) return "same_name";
  return isOwnDomain(from, to) ? "own_domain" : "other";
}

function isPermanent({ page }: Evidence): boolean {
  return page.hops.every(({ url, status }, index) => {
    const next = page.hops[index + 1];
    const leaves = next && !areOfOneDomain(urlOf(url).hostname, urlOf(next.url).hostname);
    return !leaves || status === 301 || status === 308;
  });
}
