import type { OwnPage } from "./own-page.ts";
import { findSignature, type Signature } from "./signature.ts";
import { Slice } from "../../net/slice.ts";

/** Most characters of visible text on such a page, in all its languages together. */
const MAX_TEXT = 3000;
/** A captcha that the site itself put up, with nothing else on the page. */
const MAX_CAPTCHA_TEXT = 500;

/** `mark`: what the source of every such page has, in whatever case; whole, so that hiding parts of it adds none. */
interface Challenge extends Signature {
  mark: RegExp;
}

/**
 * Signatures of a gatekeeper's own page, never of the scripts it adds to pages it lets through: Cloudflare's
 * challenge-platform, DataDome's tags.js, Imperva's _Incapsula_Resource or a Turnstile in a form prove nothing.
 */
const CHALLENGES: readonly Challenge[] = [
  { mark: /_cf_chl_opt/, name: "Cloudflare", title: /^Just a moment/, code: /\b_cf_chl_opt\b/ },
  {
    mark: /cf-error-details/,
    name: "Cloudflare",
    title: /^Attention Required! \| Cloudflare$/,
    text: "cf-error-details",
  },
  {
    mark: /used Cloudflare to/,
    name: "Cloudflare",
    title: /^Access denied \| .* used Cloudflare to restrict access$/,
  },
  {
    mark: /powered by Cloudflare/,
    name: "Cloudflare",
    title: /^Waiting Room powered by Cloudflare$/,
  },
  {
    mark: /Cloudflare Access/,
    name: "Cloudflare Access",
    title: /^Sign in\b.*\bCloudflare Access$/,
  },
  { mark: /Vercel Security/, name: "Vercel", title: /^Vercel Security Checkpoint$/ },
  {
    mark: /vercel\.com\/sso-api/,
    name: "Vercel",
    title: /^Authentication Required$/,
    text: "vercel.com/sso-api",
  },
  {
    mark: /errors\.edgesuite\.net/,
    name: "Akamai",
    title: /^Access Denied$/,
    text: "errors.edgesuite.net",
  },
  {
    mark: /Reference&#32;&#35;/,
    name: "Akamai",
    title: /^Access Denied$/,
    text: "Reference&#32;&#35;",
  },
  {
    mark: /sec-(?:if-cpt-container|cpt-if)/,
    name: "Akamai",
    also: /<[^<>]{1,200}\bid="sec-(?:if-cpt-container|cpt-if)"/,
  },
  {
    mark: /bm-verify/,
    name: "Akamai",
    also: /<meta[^<>]{0,60}refresh[^<>]{0,500}[?&]bm-verify=/i,
    code: /\/_sec\/verify\b|["']bm-verify["']/,
  },
  {
    mark: /captcha-delivery\.com/,
    name: "DataDome",
    code: /\n\s?var dd\s?=\s?\{[^\n]{1,1000}\bcaptcha-delivery\.com/,
  },
  {
    mark: /px-captcha/,
    name: "PerimeterX",
    also: /<[^<>]{1,200}\bid="px-captcha"/,
    code: /\b_pxAppId\b/,
  },
  {
    mark: /gokuProps/,
    name: "AWS WAF",
    code: /\bwindow\.gokuProps\b/,
    also: /<script[^<>]{0,300}\bawswaf\.com\//,
  },
  { mark: /awswaf\.com/, name: "AWS WAF", title: /^Human Verification$/, text: "awswaf.com/" },
  {
    mark: /_Incapsula_Resource/,
    name: "Imperva",
    text: 'id="main-iframe"',
    also: /<iframe[^<>]{0,200}_Incapsula_Resource/,
  },
  { mark: /Pardon Our/, name: "Imperva", title: /^Pardon Our Interruption$/ },
  {
    mark: /sucuri_cloudproxy_js/,
    name: "Sucuri",
    title: /^You are being redirected\.\.\.$/,
    code: /\bsucuri_cloudproxy_js\b/,
  },
  { mark: /Sucuri/, name: "Sucuri", title: /^Sucuri W(?:eb|EB)Site Firewall\b.*Access Denied$/i },
  { mark: /DDoS-Guard/, name: "DDoS-Guard", title: /^DDoS-Guard$/ },
  { mark: /window\.KPSDK/, name: "Kasada", code: /\n\s?window\.KPSDK=\{\}/, maxText: 0 },
  {
    mark: /Your support ID is/,
    name: "F5",
    title: /^Request Rejected$/,
    text: "Your support ID is",
  },
  {
    mark: /Your support ID is/,
    name: "F5",
    text: "Please enable JavaScript to view the page content.",
    also: /Your support ID is/,
  },
  { mark: /\/_fs-ch-/, name: "Fastly", title: /^Client Challenge$/, text: "/_fs-ch-" },
  { mark: /Radware/, name: "Radware", title: /^Radware (?:Bot Manager )?Captcha/i },
  {
    mark: /cmd\/anubis/,
    name: "Anubis",
    text: "/.within.website/x/cmd/anubis/",
    also: /<script[^<>]{0,100}\bid="anubis_(?:challenge|version)"/,
  },
  {
    mark: /\/\.well-known\/(?:sg)?captcha/,
    name: "SiteGround",
    also: /<meta[^<>]{0,100}refresh[^<>]{0,100}\/\.well-known\/(?:sg)?captcha\//i,
  },
  {
    mark: /hcaptcha\.com|recaptcha|challenges\.cloudflare\.com/,
    name: "captcha",
    title:
      /^(?:(?:please )?(?:verify|confirm|prove)(?:ing)? (?:that )?you(?:'re| are|&#39;re) (?:not a robot|(?:a )?human)|are you (?:a )?(?:human|robot)|robot check|human verification|security check(?:point)?|bot verification)(?=[?!.…\s]*(?:$|[-–—|·•]))/i,
    also: /<script[^<>]{0,300}(?:hcaptcha\.com\/1\/api|recaptcha\/(?:api|enterprise)|challenges\.cloudflare\.com\/turnstile)/,
    maxText: MAX_CAPTCHA_TEXT,
  },
];

const MARKS = new RegExp(CHALLENGES.map(({ mark }) => mark.source).join("|"), "i");

/** Whether a decoded body may be a challenge page: false for most pages, at a fraction of the cost of reading them. */
export function mayShowChallenge(text: string): boolean {
  return MARKS.test(text);
}

/** The name of the gatekeeper whose challenge, block or login page this is; null for the site's own page. */
export async function findChallenge(page: OwnPage, slice = new Slice()): Promise<string | null> {
  if (page.textLength > MAX_TEXT) return null;
  const found = await findSignature(CHALLENGES, page, slice);
  return found?.name ?? null;
}
